import { h } from "preact";
import { Field, Form, Problem } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";

export const ForgottenView = ({ problem, email = "" }: { readonly problem?: string | undefined; readonly email?: string }): Html => [
  problem === undefined
    ? h("p", null, "Enter the e-mail address of your account. A letter will tell you how to choose a new password.")
    : h(Problem, { text: problem }),
  h(
    Form,
    { action: "/user/forgot_password" },
    h(Field, { name: "email", label: "E-mail address", autocomplete: "email", value: email, isInvalid: problem !== undefined, hasFocus: true }),
    h("button", { class: "primary", type: "submit" }, "Send the letter"),
  ),
];

export const AskedView = ({ email }: { readonly email: string }): Html => [
  h("p", { class: "notice", role: "status" }, "If ", h("strong", null, email), " is the address of an account here, a letter is on its way to it."),
  h("p", null, "It may take some minutes, and lands among unwanted mail at times."),
];

export const NoLettersView = (): Html => h("p", null, "This server sends no letters. Ask an administrator for a new password.");

export interface NewPasswordFacts {
  readonly name: string;
  readonly code: string;
  readonly problem?: string | undefined;
}

export const RecoverView = ({ name, code, problem }: NewPasswordFacts): Html => [
  problem === undefined ? h("p", null, "Choose a new password for ", h("strong", null, name), ".") : h(Problem, { text: problem }),
  h(
    Form,
    { action: "/user/recover_account", hidden: { code } },
    h(Field, { name: "password", label: "New password", type: "password", autocomplete: "new-password", hint: "At least 8 characters.", hasFocus: true }),
    h(Field, { name: "retype", label: "New password again", type: "password", autocomplete: "new-password" }),
    h("button", { class: "primary", type: "submit" }, "Save and sign in"),
  ),
];

export const ConfirmView = ({ name, email, code }: { readonly name: string; readonly email: string; readonly code: string }): Html => [
  h("p", null, h("strong", null, name), " says that ", h("strong", null, email), " is his or her address. Is that you?"),
  h(Form, { action: "/user/activate_email", hidden: { code } }, h("button", { class: "primary", type: "submit" }, "Yes, it is mine")),
];

export const ConfirmedView = ({ name, email }: { readonly name: string; readonly email: string }): Html =>
  h("p", { class: "notice", role: "status" }, h("strong", null, email), " is an address of ", h("strong", null, name), " now.");
