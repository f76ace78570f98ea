import type { FormProblem } from "../../../../core/form-problem.ts";
import { Field, Form, Submit } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { QrCode } from "../../../../ui/qr-code.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { Day } from "../../../../ui/time.tsx";
import type { TotpSecret, TwoFactorView } from "../model.ts";
import { accountTexts } from "../texts/texts.ts";
import { PasswordFirst } from "./password.tsx";

/** The forms of the page, by action. */
export type TwoFactorForm = "begin" | "confirm" | "codes" | "remove";

export interface TwoFactorProps {
  readonly path: string;
  readonly state: TwoFactorView;
  /** False for a user who signs in only through an identity provider. */
  readonly hasPassword: boolean;
  readonly formToken: string;
  readonly refused?: { readonly form: TwoFactorForm; readonly problem: FormProblem } | undefined;
}

/** The state of two-factor authentication, and the forms that change it. */
export function TwoFactorPage(props: TwoFactorProps): Html {
  const texts = useTexts(accountTexts).twoFactor;
  const { confirmedMs, recoveryCodes } = props.state;
  if (confirmedMs === null) {
    return (
      <>
        <p>
          <span class="badge">{texts.off}</span> {texts.lead}
        </p>
        <PasswordForm {...props} form="begin" label={texts.begin} />
      </>
    );
  }
  return (
    <>
      <p>
        <span class="badge good">{texts.on}</span>
        {` ${texts.since} `}
        <Day ms={confirmedMs} />
        {`. ${texts.left(recoveryCodes)}.`}
      </p>
      <section>
        <h2>{texts.renew}</h2>
        <p class="soft">{texts.renewHint}</p>
        <PasswordForm {...props} form="codes" label={texts.renew} />
      </section>
      <section>
        <h2>{texts.remove}</h2>
        <p class="soft">{texts.removeHint}</p>
        <PasswordForm {...props} form="remove" label={texts.remove} isDanger />
      </section>
    </>
  );
}

interface PasswordFormProps extends Omit<TwoFactorProps, "state"> {
  readonly form: Exclude<TwoFactorForm, "confirm">;
  readonly label: string;
  readonly isDanger?: boolean;
}

function PasswordForm({ path, hasPassword, form, label, isDanger, formToken, refused }: PasswordFormProps): Html {
  const texts = useTexts(accountTexts).twoFactor;
  if (!hasPassword) return <PasswordFirst />;
  const problem = refused?.form === form ? refused.problem : undefined;
  return (
    <Form action={`${path}/${form}`} formToken={formToken} name={form} problem={problem}>
      <Field name="password" label={texts.password} type="password" autocomplete="current-password" />
      <Submit label={label} {...(isDanger && { isDanger })} />
    </Form>
  );
}

export interface NewSecretProps {
  readonly path: string;
  readonly secret: TotpSecret;
  readonly formToken: string;
  readonly problem?: FormProblem | undefined;
}

/** A pending secret with the form for the app's first code. */
export function NewSecret({ path, secret: { secret, uri }, formToken, problem }: NewSecretProps): Html {
  const texts = useTexts(accountTexts).twoFactor;
  return (
    <section>
      <h2>{texts.scan}</h2>
      <QrCode text={uri} label={texts.picture} />
      <p>{`${texts.secret}:`}</p>
      <code class="secret">{secret.replace(/.{4}(?=.)/g, "$& ")}</code>
      <p>
        <a href={uri}>{texts.openApp}</a>
      </p>
      <Form action={`${path}/confirm`} formToken={formToken} hidden={{ secret }} problem={problem}>
        <Field name="code" label={texts.code} hint={texts.codeHint} autocomplete="one-time-code" inputMode="numeric" hasFocus />
        <Submit label={texts.confirm} />
      </Form>
    </section>
  );
}

/** Recovery codes, shown only once. */
export function RecoveryCodesView({ path, codes }: { readonly path: string; readonly codes: readonly string[] }): Html {
  const texts = useTexts(accountTexts).twoFactor;
  return (
    <section>
      <h2>{texts.codes}</h2>
      <p class="notice good" role="status">
        {texts.codesMade}
      </p>
      <pre class="secret">{codes.join("\n")}</pre>
      <p>
        <a class="button primary" href={path}>
          {texts.codesKept}
        </a>
      </p>
    </section>
  );
}
