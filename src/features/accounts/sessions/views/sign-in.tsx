import type { FormProblem } from "../../../../core/form-problem.ts";
import { lengths } from "../../../../core/lengths.ts";
import { Problem } from "../../../../ui/form-problems.tsx";
import { Field, Form } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { signInTexts } from "../texts/texts.ts";

export interface SignInProps {
  /** Where to go afterwards. */
  readonly redirectTo: string;
  readonly login?: string;
  readonly problem?: string | undefined;
  /** External providers. */
  readonly otherWays: readonly { readonly name: string }[];
  readonly mayRegister: boolean;
}

export function SignInView({ redirectTo, login = "", problem, otherWays, mayRegister }: SignInProps): Html {
  const texts = useTexts(signInTexts);
  return (
    <>
      {problem !== undefined && <Problem text={problem} />}
      <Form action="/user/login" hidden={{ redirect_to: redirectTo }}>
        <Field name="user_name" label={texts.login} autocomplete="username" value={login} isInvalid={problem !== undefined} hasFocus={login === ""} />
        <Field
          name="password"
          label={texts.password}
          type="password"
          autocomplete="current-password"
          isInvalid={problem !== undefined}
          hasFocus={login !== ""}
        />
        <button class="primary" type="submit">
          {texts.signIn}
        </button>
      </Form>
      {otherWays.length > 0 && <p class="or soft">{texts.or}</p>}
      {otherWays.map(({ name }) => (
        <p>
          <a class="button" href={`/user/oauth2/${encodeURIComponent(name)}?redirect_to=${encodeURIComponent(redirectTo)}`}>
            {texts.by(name)}
          </a>
        </p>
      ))}
      <p>
        <a href="/user/forgot_password">{texts.forgotten}</a>
      </p>
      <p {...(!mayRegister && { class: "soft" })}>
        {texts.newHere} {mayRegister ? <a href="/user/sign_up">{texts.register}</a> : texts.registrationClosed}
      </p>
    </>
  );
}

export interface NewPasswordProps {
  readonly name: string;
  readonly redirectTo: string;
  readonly formToken: string;
  readonly problem?: FormProblem | undefined;
}

export function NewPasswordView({ name, redirectTo, formToken, problem }: NewPasswordProps): Html {
  const texts = useTexts(signInTexts).newPassword;
  return (
    <>
      <p>
        {texts.setByAdmin}
        <strong>{name}</strong>
        {texts.setByAdminRest}
      </p>
      <Form action="/user/change_password" formToken={formToken} hidden={{ redirect_to: redirectTo }} problem={problem}>
        <NewPasswordFields />
      </Form>
    </>
  );
}

export function NewPasswordFields(): Html {
  const texts = useTexts(signInTexts).newPassword;
  return (
    <>
      <Field name="password" maxLength={lengths.password} label={texts.password} type="password" autocomplete="new-password" hint={texts.hint} hasFocus />
      <Field name="retype" label={texts.retype} type="password" autocomplete="new-password" />
      <button class="primary" type="submit">
        {texts.save}
      </button>
    </>
  );
}
