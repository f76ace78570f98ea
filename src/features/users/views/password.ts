import { h } from "preact";
import type { FormProblem } from "../../../core/form-problem.ts";
import { Field, Form, Submit } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import type { PasswordKeeper } from "../view.ts";

const path = "/user/settings/account";

export interface PasswordFacts {
  readonly keeper: PasswordKeeper;
  readonly sendsLetters: boolean;
  /** A letter to choose one was asked for just before. */
  readonly isAsked: boolean;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

/** Somebody's password: the form of another one, or how he comes to one where there is none. */
export function PasswordSection(facts: PasswordFacts): Html {
  const texts = useTexts().account;
  return h("section", { id: "password" }, h("h2", null, texts.password), h(sections[facts.keeper], facts));
}

/** Nothing that was typed into it comes back. */
function ChangeForm({ problem, formToken }: PasswordFacts): Html {
  const { account: texts } = useTexts();
  return [
    h("p", { class: "soft" }, texts.changePasswordHint),
    h(
      Form,
      { action: `${path}/password`, formToken, name: "password", problem },
      h(Field, { name: "current", label: texts.currentPassword, type: "password", autocomplete: "current-password" }),
      h(Field, { name: "password", label: texts.newPassword, type: "password", autocomplete: "new-password", hint: texts.newPasswordHint }),
      h(Field, { name: "retype", label: texts.retype, type: "password", autocomplete: "new-password" }),
      h(Submit, { label: texts.changePassword }),
    ),
  ];
}

function KeptElsewhere(): Html {
  return h("p", { class: "soft" }, useTexts().account.noPassword.directory);
}

function FirstPassword({ sendsLetters, isAsked, formToken }: PasswordFacts): Html {
  const { noPassword: texts } = useTexts().account;
  return [
    isAsked && h("p", { class: "notice good", role: "status" }, texts.asked),
    h("p", null, texts.lead),
    sendsLetters ? h(Form, { action: `${path}/password/letter`, formToken, name: "letter" }, h(Submit, { label: texts.ask })) : h("p", null, texts.noLetters),
  ];
}

const sections = { here: ChangeForm, directory: KeptElsewhere, nobody: FirstPassword };

/** In place of a form that asks for the password, for somebody who has none. */
export function PasswordFirst(): Html {
  const { noPassword: texts } = useTexts().account;
  return h("p", { class: "notice" }, texts.needed, " ", h("a", { href: `${path}#password` }, texts.choose), ".");
}
