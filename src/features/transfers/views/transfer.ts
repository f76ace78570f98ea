import { h } from "preact";
import type { FormProblem } from "../../../core/form-problem.ts";
import { type RepositoryName, repositoryPath, settingsPath } from "../../../ui/addresses.ts";
import { Field, Form, Submit } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { FormToken } from "../../../ui/page.ts";
import { useTexts } from "../../../ui/texts/texts.ts";

export interface TransferFacts {
  readonly repository: RepositoryName;
  /** Whom it waits for; undefined while it is offered to nobody. */
  readonly waitsFor: string | undefined;
  readonly newOwner: string;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

/** The form that gives a repository away, or what became of it. */
export function TransferView({ repository, waitsFor, newOwner, problem, formToken }: TransferFacts): Html {
  const { settings, forms } = useTexts();
  const texts = settings.transfer;
  const back = h("a", { href: settingsPath(repository) }, forms.cancel);
  if (waitsFor !== undefined) {
    return [
      h("p", null, texts.waits(waitsFor)),
      h(Form, { action: `${repositoryPath(repository)}/transfer/reject`, formToken }, h("div", { class: "bar" }, h(Submit, { label: texts.withdraw }), back)),
    ];
  }
  return [
    h("p", null, texts.hint),
    h(
      Form,
      { action: settingsPath(repository, "/transfer"), formToken, problem },
      h(Field, { name: "new_owner", label: texts.newOwner, hint: texts.newOwnerHint, value: newOwner, autocomplete: "off", hasFocus: true }),
      h("div", { class: "bar" }, h(Submit, { label: texts.submit, isDanger: true }), back),
    ),
  ];
}

export interface OfferFacts {
  readonly repository: RepositoryName;
  readonly recipient: string;
  readonly formToken: string;
}

/** The question to whom it is offered. */
export function OfferView({ repository, recipient, formToken }: OfferFacts): Html {
  const { transfer: texts } = useTexts().settings;
  const path = `${repositoryPath(repository)}/transfer`;
  const answer = (verb: string, text: string, look?: string): Html =>
    h(
      "form",
      { method: "post", action: `${path}/${verb}` },
      h(FormToken, { value: formToken }),
      h("button", { type: "submit", ...(look && { class: look }) }, text),
    );
  return [
    h("p", null, `${texts.from(`${repository.ownerName}/${repository.name}`)} `, h("strong", null, recipient), "."),
    h("div", { class: "bar" }, answer("accept", texts.accept, "primary"), answer("reject", texts.reject)),
  ];
}
