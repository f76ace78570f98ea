import type { FormProblem } from "../../../../core/form-problem.ts";
import { lengths } from "../../../../core/lengths.ts";
import { CheckBox, Choice, Field, Form, OptionalField, Submit, TextArea } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { FormToken } from "../../../../ui/page.tsx";
import { Row, Rows } from "../../../../ui/rows.tsx";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import type { EmailView } from "../model.ts";
import { accountTexts } from "../texts/texts.ts";

export interface ProfileValues {
  readonly full_name: string;
  readonly website: string;
  readonly location: string;
  readonly description: string;
  readonly hide_email: boolean;
  readonly hide_activity: boolean;
  readonly new_repositories_private: boolean;
  readonly email_notifications: string;
}

interface FormProps<Values> {
  readonly values: Values;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

/** The user's public profile and email settings. */
export function ProfileForm({ values, problem, formToken }: FormProps<ProfileValues>): Html {
  const texts = useTexts(accountTexts);
  const { forms } = useTexts(sharedTexts);
  return (
    <Form action="/user/settings" formToken={formToken} problem={problem}>
      <OptionalField name="full_name" label={texts.fullName} value={values.full_name} />
      <Field name="website" type="url" label={texts.website} value={values.website} autocomplete="off" isOptional />
      <OptionalField name="location" label={texts.location} value={values.location} />
      <TextArea name="description" label={texts.description} value={values.description} rows={3} />
      <CheckBox name="hide_email" label={texts.hideEmail} isChecked={values.hide_email} />
      <CheckBox name="hide_activity" label={texts.hideActivity} isChecked={values.hide_activity} />
      <CheckBox
        name="new_repositories_private"
        label={texts.newRepositoriesPrivate}
        hint={texts.newRepositoriesPrivateHint}
        isChecked={values.new_repositories_private}
      />
      <Choice name="email_notifications" label={texts.mail} value={values.email_notifications} options={Object.entries(texts.mails)} />
      <Submit label={forms.save} />
    </Form>
  );
}

export interface AppearanceValues {
  readonly language: string;
  readonly theme: string;
}

/** The user's appearance settings, which apply to all browsers. */
export function AppearanceForm({ values, problem, formToken }: FormProps<AppearanceValues>): Html {
  const texts = useTexts(accountTexts);
  const { forms } = useTexts(sharedTexts);
  return (
    <Form action="/user/settings/appearance" formToken={formToken} problem={problem}>
      <Choice name="language" label={texts.language} value={values.language} options={Object.entries(texts.languages)} />
      <Choice name="theme" label={texts.theme} value={values.theme} options={Object.entries(texts.themes)} />
      <Submit label={forms.save} />
    </Form>
  );
}

export interface EmailsProps extends FormProps<{ readonly email: string }> {
  readonly emails: readonly EmailView[];
  readonly sendsEmails: boolean;
  /** The confirmation email was sent by the previous request. */
  readonly isSent: boolean;
}

export function EmailsView({ emails, values, problem, sendsEmails, isSent, formToken }: EmailsProps): Html {
  const texts = useTexts(accountTexts);
  const { forms } = useTexts(sharedTexts);
  const actionForm = (email: string, below: string, label: string, isDanger = false): Html => (
    <form method="post" action={`/user/settings/account/emails/${below}`}>
      <FormToken value={formToken} />
      <input type="hidden" name="email" value={email} />
      <button type="submit" {...(isDanger && { class: "danger" })} aria-label={`${label}: ${email}`}>
        {label}
      </button>
    </form>
  );
  const deeds = ({ email, isVerified }: EmailView): Html => (
    <div class="end">
      {isVerified ? actionForm(email, "primary", texts.makePrimary) : sendsEmails && actionForm(email, "resend", texts.sendAgain)}
      {actionForm(email, "remove", forms.remove, true)}
    </div>
  );
  return (
    <section>
      <h2>{texts.emails}</h2>
      {isSent && (
        <p class="notice good" role="status">
          {texts.emailSent}
        </p>
      )}
      <Rows>
        {emails.map((address) => (
          <Row action={!address.isPrimary && deeds(address)}>
            {address.email} {address.isPrimary && <span class="badge">{texts.primary}</span>}{" "}
            <span class={address.isVerified ? "badge good" : "badge"}>{address.isVerified ? texts.verified : texts.unverified}</span>
          </Row>
        ))}
      </Rows>
      <h3>{texts.addEmail}</h3>
      <Form action="/user/settings/account/emails" formToken={formToken} name="new" problem={problem}>
        <Field name="email" label={texts.email} value={values.email} type="email" autocomplete="email" />
        <Submit label={texts.addEmail} isSecondary />
      </Form>
    </section>
  );
}

export interface RenameProps {
  readonly name: string;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

export function RenameForm({ name, problem, formToken }: RenameProps): Html {
  const texts = useTexts(accountTexts);
  return (
    <section>
      <h2>{texts.rename}</h2>
      <Form action="/user/settings/account/rename" formToken={formToken} name="rename" problem={problem}>
        <Field name="new_name" maxLength={lengths.accountName} label={texts.userName} value={name} hint={texts.renameHint} names="account" autocomplete="off" />
        <Submit label={texts.rename} isSecondary />
      </Form>
    </section>
  );
}

export function DeletionLink(): Html {
  const texts = useTexts(accountTexts).deletion;
  return (
    <section>
      <h2>{texts.title}</h2>
      <p class="soft">{texts.lead}</p>
      <a class="button" href="/user/settings/account/delete">
        {texts.open}
      </a>
    </section>
  );
}
