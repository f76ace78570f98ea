import type { FormProblem } from "../../../../core/form-problem.ts";
import { Field, Form } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { signInTexts } from "../../sessions/texts/texts.ts";
import { NewPasswordFields } from "../../sessions/views/sign-in.tsx";
import { recoveryTexts } from "../texts/texts.ts";

export interface Refusable {
  readonly problem?: FormProblem | undefined;
}

/** The form for the address that a link is sent to. */
export function EmailForm({ action, problem, email, send }: Refusable & { readonly action: string; readonly email: string; readonly send: string }): Html {
  const { recovery: texts } = useTexts(recoveryTexts);
  return (
    <Form action={action} problem={problem}>
      <Field name="email" label={texts.email} type="email" autocomplete="email" value={email} hasFocus />
      <button class="primary" type="submit">
        {send}
      </button>
    </Form>
  );
}

export function ForgottenView({ problem, email = "" }: Refusable & { readonly email?: string }): Html {
  const texts = useTexts(recoveryTexts).recovery;
  return (
    <>
      <p>{texts.lead}</p>
      <EmailForm action="/user/forgot_password" problem={problem} email={email} send={texts.send} />
    </>
  );
}

export const SentView = ({ email }: { readonly email: string }): Html => <EmailSent texts={useTexts(recoveryTexts).recovery} email={email} />;

/** @param texts around the address */
export function EmailSent({ texts, email }: { readonly texts: Readonly<Record<"requested" | "askedRest", string>>; readonly email: string }): Html {
  const { askedHint } = useTexts(recoveryTexts).recovery;
  return (
    <>
      <p class="notice" role="status">
        {texts.requested}
        <strong>{email}</strong>
        {texts.askedRest}
      </p>
      <p>{askedHint}</p>
    </>
  );
}

export const EmailDisabledView = (): Html => <p>{useTexts(recoveryTexts).recovery.emailDisabled}</p>;

export interface RecoverProps extends Refusable {
  readonly name: string;
  readonly code: string;
}

export function RecoverView({ name, code, problem }: RecoverProps): Html {
  const texts = useTexts(signInTexts).newPassword;
  return (
    <>
      <p>
        {texts.chooseFor}
        <strong>{name}</strong>
        {texts.chooseForRest}
      </p>
      <Form action="/user/recover_account" hidden={{ code }} problem={problem}>
        <NewPasswordFields />
      </Form>
    </>
  );
}

export function ConfirmView({ name, email, code }: { readonly name: string; readonly email: string; readonly code: string }): Html {
  const texts = useTexts(recoveryTexts).address;
  return (
    <>
      <p>
        <strong>{name}</strong>
        {texts.says}
        <strong>{email}</strong>
        {texts.saysRest}
      </p>
      <Form action="/user/activate_email" hidden={{ code }}>
        <button class="primary" type="submit">
          {texts.confirm}
        </button>
      </Form>
    </>
  );
}

export function ConfirmedView({ name, email }: { readonly name: string; readonly email: string }): Html {
  const texts = useTexts(recoveryTexts).address;
  return (
    <p class="notice good" role="status">
      <strong>{email}</strong>
      {texts.isNow}
      <strong>{name}</strong>
      {texts.isNowRest}
    </p>
  );
}
