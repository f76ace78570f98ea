import { Choice, Form, Submit } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { accountPaths } from "../../../../ui/settings.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import type { EmailNotifications } from "../../../accounts/users/model.ts";
import { type Choices, channels, choiceKinds } from "../reasons.ts";
import { notificationTexts } from "../texts/texts.ts";

export interface ChoicesProps {
  readonly choices: Choices;
  /** The setting of the profile, which limits all emails. */
  readonly emails: EmailNotifications;
  readonly formToken: string;
}

/** How a user is notified, by kind of reason. */
export function ChoicesView({ choices, emails, formToken }: ChoicesProps): Html {
  const texts = useTexts(notificationTexts);
  const limit = emails === "disabled" ? texts.noEmails : emails === "onmention" ? texts.onlyMentions : undefined;
  return (
    <>
      <p class="soft">{texts.settingsHint}</p>
      {limit !== undefined && (
        <p class="notice">
          {limit} <a href={`${accountPaths.profile}#email_notifications`}>{texts.changeProfile}</a>
        </p>
      )}
      <Form action={accountPaths.notifications} formToken={formToken}>
        {choiceKinds.map((kind) => (
          <Choice name={kind} label={texts.kinds[kind]} value={choices[kind]} options={channels.map((one) => [one, texts.channels[one]])} />
        ))}
        <Submit label={texts.save} />
      </Form>
    </>
  );
}
