import { lengths } from "../../../../core/lengths.ts";
import { Field, Form } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { EmailForm, EmailSent, type Refusable } from "../../recovery/views/forms.tsx";
import { signInTexts } from "../../sessions/texts/texts.ts";
import { registrationTexts } from "../texts/texts.ts";

/** The first step: enter an address. */
export function RegisterView({ email, problem }: Refusable & { readonly email: string }): Html {
  const texts = useTexts(registrationTexts);
  return (
    <>
      <p>{texts.lead}</p>
      <EmailForm action="/user/sign_up" problem={problem} email={email} send={texts.send} />
      <p>
        {texts.already} <a href="/user/login">{texts.signIn}</a>
      </p>
    </>
  );
}

export const EmailSentView = ({ email }: { readonly email: string }): Html => <EmailSent texts={useTexts(registrationTexts)} email={email} />;

export function ClosedView(): Html {
  const texts = useTexts(registrationTexts);
  return (
    <>
      <p>{texts.closed}</p>
      <p>
        {texts.already} <a href="/user/login">{texts.signIn}</a>
      </p>
    </>
  );
}

export interface NewAccountProps extends Refusable {
  readonly email: string;
  readonly code: string;
  readonly name: string;
  /** The path to continue at. */
  readonly redirectTo: string;
}

/** The second step, from an emailed link: choose a name and password. */
export function NewAccountView({ email, code, name, redirectTo, problem }: NewAccountProps): Html {
  const texts = useTexts(registrationTexts);
  const { newPassword } = useTexts(signInTexts);
  return (
    <>
      <p>
        {texts.confirmed}
        <strong>{email}</strong>
        {texts.confirmedRest}
      </p>
      <Form action="/user/sign_up/confirm" hidden={{ code, redirect_to: redirectTo }} problem={problem}>
        <Field name="user_name" label={texts.name} hint={texts.nameHint} names="account" value={name} autocomplete="username" hasFocus />
        <Field name="password" maxLength={lengths.password} label={texts.password} type="password" autocomplete="new-password" hint={newPassword.hint} />
        <Field name="retype" label={texts.retype} type="password" autocomplete="new-password" />
        <button class="primary" type="submit">
          {texts.make}
        </button>
      </Form>
    </>
  );
}
