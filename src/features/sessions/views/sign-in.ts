import { h } from "preact";
import { Field, Form, Problem } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { useTexts } from "../../../ui/texts/texts.ts";

export interface SignInFacts {
  /** Where to go then. */
  readonly redirectTo: string;
  readonly login?: string;
  readonly problem?: string | undefined;
  /** By a provider elsewhere. */
  readonly otherWays: readonly { readonly name: string }[];
  readonly mayRegister: boolean;
}

export function SignInView({ redirectTo, login = "", problem, otherWays, mayRegister }: SignInFacts): Html {
  const { signing: texts } = useTexts();
  return [
    problem !== undefined && h(Problem, { text: problem }),
    h(
      Form,
      { action: "/user/login", hidden: { redirect_to: redirectTo } },
      h(Field, {
        name: "user_name",
        label: texts.login,
        autocomplete: "username",
        value: login,
        isInvalid: problem !== undefined,
        hasFocus: login === "",
      }),
      h(Field, {
        name: "password",
        label: texts.password,
        type: "password",
        autocomplete: "current-password",
        isInvalid: problem !== undefined,
        hasFocus: login !== "",
      }),
      h("button", { class: "primary", type: "submit" }, texts.signIn),
    ),
    otherWays.length > 0 && h("p", { class: "or soft" }, texts.or),
    otherWays.map(({ name }) =>
      h("p", null, h("a", { class: "button", href: `/user/oauth2/${encodeURIComponent(name)}?redirect_to=${encodeURIComponent(redirectTo)}` }, texts.by(name))),
    ),
    h("p", null, h("a", { href: "/user/forgot_password" }, texts.forgotten)),
    mayRegister && h("p", null, texts.registering.newHere, " ", h("a", { href: "/user/sign_up" }, texts.registering.title)),
  ];
}

export interface NewPasswordFacts {
  readonly name: string;
  readonly redirectTo: string;
  readonly formToken: string;
  readonly problem?: string | undefined;
}

export function NewPasswordView({ name, redirectTo, formToken, problem }: NewPasswordFacts): Html {
  const { newPassword: texts } = useTexts().signing;
  return [
    problem === undefined ? h("p", null, texts.bySomebodyElse, h("strong", null, name), texts.bySomebodyElseRest) : h(Problem, { text: problem }),
    h(Form, { action: "/user/change_password", formToken, hidden: { redirect_to: redirectTo } }, h(NewPasswordFields, {})),
  ];
}

/** A new password, twice, and the button that signs in with it. */
export function NewPasswordFields(): Html {
  const { newPassword: texts } = useTexts().signing;
  return [
    h(Field, { name: "password", label: texts.password, type: "password", autocomplete: "new-password", hint: texts.hint, hasFocus: true }),
    h(Field, { name: "retype", label: texts.retype, type: "password", autocomplete: "new-password" }),
    h("button", { class: "primary", type: "submit" }, texts.save),
  ];
}
