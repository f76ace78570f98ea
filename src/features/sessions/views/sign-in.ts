import { h } from "preact";
import { Field, Form, Problem } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";

export interface SignInFacts {
  /** Where to go then. */
  readonly redirectTo: string;
  readonly login?: string;
  readonly problem?: string | undefined;
  /** By a provider elsewhere. */
  readonly otherWays: readonly { readonly name: string }[];
}

export const SignInView = ({ redirectTo, login = "", problem, otherWays }: SignInFacts): Html => [
  problem !== undefined && h(Problem, { text: problem }),
  h(
    Form,
    { action: "/user/login", hidden: { redirect_to: redirectTo } },
    h(Field, {
      name: "user_name",
      label: "Username or e-mail address",
      autocomplete: "username",
      value: login,
      isInvalid: problem !== undefined,
      hasFocus: login === "",
    }),
    h(Field, {
      name: "password",
      label: "Password",
      type: "password",
      autocomplete: "current-password",
      isInvalid: problem !== undefined,
      hasFocus: login !== "",
    }),
    h("button", { class: "primary", type: "submit" }, "Sign in"),
  ),
  h("p", null, h("a", { href: "/user/forgot_password" }, "Forgotten your password?")),
  otherWays.map(({ name }) =>
    h("p", null, h("a", { href: `/user/oauth2/${encodeURIComponent(name)}?redirect_to=${encodeURIComponent(redirectTo)}` }, `Sign in by ${name}`)),
  ),
];

export interface NewPasswordFacts {
  readonly name: string;
  readonly redirectTo: string;
  readonly formToken: string;
  readonly problem?: string | undefined;
}

export const NewPasswordView = ({ name, redirectTo, formToken, problem }: NewPasswordFacts): Html => [
  problem === undefined
    ? h("p", null, "The password of ", h("strong", null, name), " was set by an administrator. Choose your own to go on.")
    : h(Problem, { text: problem }),
  h(
    Form,
    { action: "/user/change_password", formToken, hidden: { redirect_to: redirectTo } },
    h(Field, { name: "password", label: "New password", type: "password", autocomplete: "new-password", hint: "At least 8 characters.", hasFocus: true }),
    h(Field, { name: "retype", label: "New password again", type: "password", autocomplete: "new-password" }),
    h("button", { class: "primary", type: "submit" }, "Save and sign in"),
  ),
];
