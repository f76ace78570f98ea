import { h } from "preact";
import type { FormProblem } from "../../../core/form-problem.ts";
import { Field, Form } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { NewPasswordFields } from "../../sessions/views/sign-in.ts";

interface Refusable {
  readonly problem?: FormProblem | undefined;
}

export function ForgottenView({ problem, email = "" }: Refusable & { readonly email?: string }): Html {
  const { recovery: texts } = useTexts().signing;
  return [
    h("p", null, texts.lead),
    h(
      Form,
      { action: "/user/forgot_password", problem },
      h(Field, { name: "email", label: texts.email, type: "email", autocomplete: "email", value: email, hasFocus: true }),
      h("button", { class: "primary", type: "submit" }, texts.send),
    ),
  ];
}

export function AskedView({ email }: { readonly email: string }): Html {
  const { recovery: texts } = useTexts().signing;
  return [h("p", { class: "notice", role: "status" }, texts.asked, h("strong", null, email), texts.askedRest), h("p", null, texts.askedHint)];
}

export const NoLettersView = (): Html => h("p", null, useTexts().signing.recovery.noLetters);

export interface RecoverFacts extends Refusable {
  readonly name: string;
  readonly code: string;
}

export function RecoverView({ name, code, problem }: RecoverFacts): Html {
  const { newPassword: texts } = useTexts().signing;
  return [
    h("p", null, texts.chooseFor, h("strong", null, name), "."),
    h(Form, { action: "/user/recover_account", hidden: { code }, problem }, h(NewPasswordFields, {})),
  ];
}

export function ConfirmView({ name, email, code }: { readonly name: string; readonly email: string; readonly code: string }): Html {
  const { address: texts } = useTexts().signing;
  return [
    h("p", null, h("strong", null, name), texts.says, h("strong", null, email), texts.saysRest),
    h(Form, { action: "/user/activate_email", hidden: { code } }, h("button", { class: "primary", type: "submit" }, texts.confirm)),
  ];
}

export function ConfirmedView({ name, email }: { readonly name: string; readonly email: string }): Html {
  const { address: texts } = useTexts().signing;
  return h("p", { class: "notice good", role: "status" }, h("strong", null, email), texts.isNow, h("strong", null, name), texts.isNowRest);
}
