import { h } from "preact";
import type { FormProblem } from "../../../core/form-problem.ts";
import { Field, Form } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { useTexts } from "../../../ui/texts/texts.ts";

interface Refusable {
  readonly problem?: FormProblem | undefined;
}

/** The first step: which address. */
export function RegisterView({ email, problem }: Refusable & { readonly email: string }): Html {
  const { registering: texts, recovery } = useTexts().signing;
  return [
    h("p", null, texts.lead),
    h(
      Form,
      { action: "/user/sign_up", problem },
      h(Field, { name: "email", label: recovery.email, type: "email", autocomplete: "email", value: email, hasFocus: true }),
      h("button", { class: "primary", type: "submit" }, recovery.send),
    ),
    h("p", null, texts.already, " ", h("a", { href: "/user/login" }, texts.signIn)),
  ];
}

export function LetterSentView({ email }: { readonly email: string }): Html {
  const { registering: texts, recovery } = useTexts().signing;
  return [h("p", { class: "notice", role: "status" }, texts.asked, h("strong", null, email), texts.askedRest), h("p", null, recovery.askedHint)];
}

export function ClosedView(): Html {
  const { registering: texts } = useTexts().signing;
  return [h("p", null, texts.closed), h("p", null, texts.already, " ", h("a", { href: "/user/login" }, texts.signIn))];
}

export interface NewAccountFacts extends Refusable {
  readonly email: string;
  readonly code: string;
  readonly name: string;
}

/** The second step, from a letter: which name and password. */
export function NewAccountView({ email, code, name, problem }: NewAccountFacts): Html {
  const { registering: texts, newPassword } = useTexts().signing;
  return [
    h("p", null, texts.confirmed, h("strong", null, email), texts.confirmedRest),
    h(
      Form,
      { action: "/user/sign_up/confirm", hidden: { code }, problem },
      h(Field, { name: "user_name", label: texts.name, hint: texts.nameHint, value: name, autocomplete: "username", hasFocus: true }),
      h(Field, { name: "password", label: newPassword.password, type: "password", autocomplete: "new-password", hint: newPassword.hint }),
      h(Field, { name: "retype", label: newPassword.retype, type: "password", autocomplete: "new-password" }),
      h("button", { class: "primary", type: "submit" }, texts.make),
    ),
  ];
}
