import { h } from "preact";
import type { FormProblem } from "../../../core/form-problem.ts";
import { Field, Form, Submit } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { QrCode } from "../../../ui/qr-code.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Day } from "../../../ui/time.ts";
import type { TotpSecret, TwoFactorView } from "../view.ts";
import { PasswordFirst } from "./password.ts";

/** The forms of the page, by what they ask for. */
export type TwoFactorForm = "begin" | "confirm" | "codes" | "remove";

export interface TwoFactorFacts {
  readonly path: string;
  readonly state: TwoFactorView;
  /** False: he has none, and comes in by a provider of identities alone. */
  readonly hasPassword: boolean;
  readonly formToken: string;
  readonly refused?: { readonly form: TwoFactorForm; readonly problem: FormProblem } | undefined;
}

/** Whether the password needs a code beside it, and the forms that change it. */
export function TwoFactorPage(facts: TwoFactorFacts): Html {
  const texts = useTexts().security.twoFactor;
  const { confirmedMs, recoveryCodes } = facts.state;
  if (confirmedMs === null) {
    return [h("p", null, h("span", { class: "badge" }, texts.off), " ", texts.lead), h(PasswordForm, { ...facts, form: "begin", label: texts.begin })];
  }
  return [
    h("p", null, h("span", { class: "badge good" }, texts.on), ` ${texts.since} `, h(Day, { ms: confirmedMs }), `. ${texts.left(recoveryCodes)}.`),
    h(
      "section",
      null,
      h("h2", null, texts.renew),
      h("p", { class: "soft" }, texts.renewHint),
      h(PasswordForm, { ...facts, form: "codes", label: texts.renew }),
    ),
    h(
      "section",
      null,
      h("h2", null, texts.remove),
      h("p", { class: "soft" }, texts.removeHint),
      h(PasswordForm, { ...facts, form: "remove", label: texts.remove, isDanger: true }),
    ),
  ];
}

interface PasswordFormFacts extends Omit<TwoFactorFacts, "state"> {
  readonly form: Exclude<TwoFactorForm, "confirm">;
  readonly label: string;
  readonly isDanger?: boolean;
}

function PasswordForm({ path, hasPassword, form, label, isDanger, formToken, refused }: PasswordFormFacts): Html {
  const texts = useTexts().security.twoFactor;
  if (!hasPassword) return h(PasswordFirst, {});
  const problem = refused?.form === form ? refused.problem : undefined;
  return h(
    Form,
    { action: `${path}/${form}`, formToken, name: form, problem },
    h(Field, { name: "password", label: texts.password, type: "password", autocomplete: "current-password" }),
    h(Submit, { label, ...(isDanger && { isDanger }) }),
  );
}

export interface NewSecretFacts {
  readonly path: string;
  readonly secret: TotpSecret;
  readonly formToken: string;
  readonly problem?: FormProblem | undefined;
}

/** A secret for the app, which counts once the app's first code was shown. */
export function NewSecret({ path, secret: { secret, uri }, formToken, problem }: NewSecretFacts): Html {
  const texts = useTexts().security.twoFactor;
  return h(
    "section",
    null,
    h("h2", null, texts.scan),
    h(QrCode, { text: uri, label: texts.picture }),
    h("p", null, `${texts.secret}:`),
    h("code", { class: "secret" }, secret.replace(/.{4}(?=.)/g, "$& ")),
    h("p", null, h("a", { href: uri }, texts.openApp)),
    h(
      Form,
      { action: `${path}/confirm`, formToken, hidden: { secret }, problem },
      h(Field, { name: "code", label: texts.code, hint: texts.codeHint, autocomplete: "one-time-code", inputMode: "numeric", hasFocus: true }),
      h(Submit, { label: texts.confirm }),
    ),
  );
}

/** Recovery codes, shown this once. */
export function RecoveryCodesView({ path, codes }: { readonly path: string; readonly codes: readonly string[] }): Html {
  const texts = useTexts().security.twoFactor;
  return h(
    "section",
    null,
    h("h2", null, texts.codes),
    h("p", { class: "notice good", role: "status" }, texts.codesMade),
    h("pre", { class: "secret" }, codes.join("\n")),
    h("p", null, h("a", { class: "button primary", href: path }, texts.codesKept)),
  );
}
