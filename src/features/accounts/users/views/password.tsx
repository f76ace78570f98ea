import type { FormProblem } from "../../../../core/form-problem.ts";
import { lengths } from "../../../../core/lengths.ts";
import { Field, Form, Submit } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import type { PasswordKeeper } from "../model.ts";
import { accountTexts } from "../texts/texts.ts";

const path = "/user/settings/account";

export interface PasswordProps {
  readonly keeper: PasswordKeeper;
  readonly sendsEmails: boolean;
  /** A password email was requested just before. */
  readonly isRequested: boolean;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

/** The password section: the form to change it, or how to get a first password. */
export function PasswordSection(props: PasswordProps): Html {
  const texts = useTexts(accountTexts);
  const Section = sections[props.keeper];
  return (
    <section id="password">
      <h2>{texts.password}</h2>
      <Section {...props} />
    </section>
  );
}

/** Entered passwords are not shown again. */
function ChangeForm({ problem, formToken }: PasswordProps): Html {
  const texts = useTexts(accountTexts);
  return (
    <>
      <p class="soft">{texts.changePasswordHint}</p>
      <Form action={`${path}/password`} formToken={formToken} name="password" problem={problem}>
        <Field name="current" label={texts.currentPassword} type="password" autocomplete="current-password" />
        <Field
          name="password"
          maxLength={lengths.password}
          label={texts.newPassword}
          type="password"
          autocomplete="new-password"
          hint={texts.newPasswordHint}
        />
        <Field name="retype" label={texts.retype} type="password" autocomplete="new-password" />
        <Submit label={texts.changePassword} />
      </Form>
    </>
  );
}

function KeptElsewhere(): Html {
  return <p class="soft">{useTexts(accountTexts).noPassword.directory}</p>;
}

function FirstPassword({ sendsEmails, isRequested, formToken }: PasswordProps): Html {
  const texts = useTexts(accountTexts).noPassword;
  return (
    <>
      {isRequested && (
        <p class="notice good" role="status">
          {texts.requested}
        </p>
      )}
      <p>{texts.lead}</p>
      {sendsEmails ? (
        <Form action={`${path}/password/email`} formToken={formToken} name="email">
          <Submit label={texts.ask} />
        </Form>
      ) : (
        <p>{texts.emailDisabled}</p>
      )}
    </>
  );
}

const sections = { here: ChangeForm, directory: KeptElsewhere, none: FirstPassword };

/** Replaces a form that asks for the password, for users who have none. */
export function PasswordFirst(): Html {
  const texts = useTexts(accountTexts).noPassword;
  return (
    <p class="notice">
      {texts.needed} <a href={`${path}#password`}>{texts.choose}</a>.
    </p>
  );
}
