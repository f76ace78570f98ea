import { Field, Form, Submit } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { FormToken } from "../../../../ui/page.tsx";
import { Row, Rows } from "../../../../ui/rows.tsx";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import type { EmailView, TwoFactorView } from "../../../accounts/users/model.ts";
import { accountTexts } from "../../../accounts/users/texts/texts.ts";
import { adminTexts } from "../texts/texts.ts";
import type { RefusedName } from "./users.tsx";

export interface UserAccessProps {
  /** Path of the account's page. */
  readonly action: string;
  readonly emails: readonly EmailView[];
  readonly twoFactor: TwoFactorView;
  readonly refused?: RefusedName | undefined;
  readonly formToken: string;
}

/** Further addresses and the second factor of an account. */
export function UserAccess(props: UserAccessProps): Html {
  return (
    <>
      <FurtherEmails {...props} />
      <SecondFactor {...props} />
    </>
  );
}

function FurtherEmails({ action, emails, refused, formToken }: UserAccessProps): Html {
  const texts = useTexts(adminTexts);
  const account = useTexts(accountTexts);
  const further = emails.filter(({ isPrimary }) => !isPrimary);
  return (
    <section>
      <h2>{texts.emails}</h2>
      {further.length === 0 ? (
        <p class="soft">{texts.noFurtherEmails}</p>
      ) : (
        <Rows>
          {further.map(({ email, isVerified }) => (
            <Row action={<RemoveEmail action={`${action}/emails/remove`} email={email} formToken={formToken} />}>
              {email} <span class={isVerified ? "badge good" : "badge"}>{isVerified ? account.verified : account.unverified}</span>
            </Row>
          ))}
        </Rows>
      )}
      <Form action={`${action}/emails`} formToken={formToken} name="further" problem={refused?.problem}>
        <Field name="email" label={account.email} value={refused?.typed ?? ""} type="email" hint={texts.addEmailHint} autocomplete="off" />
        <Submit label={texts.addEmail} isSecondary />
      </Form>
    </section>
  );
}

function RemoveEmail({ action, email, formToken }: { readonly action: string; readonly email: string; readonly formToken: string }): Html {
  const remove = useTexts(sharedTexts).forms.remove;
  return (
    <form method="post" action={action}>
      <FormToken value={formToken} />
      <input type="hidden" name="email" value={email} />
      <button type="submit" class="danger" aria-label={`${remove}: ${email}`}>
        {remove}
      </button>
    </form>
  );
}

function SecondFactor({ action, twoFactor, formToken }: UserAccessProps): Html {
  const texts = useTexts(adminTexts);
  const isOn = twoFactor.confirmedMs !== null;
  return (
    <section>
      <h2>{texts.secondFactor}</h2>
      <p>{isOn ? texts.factorOn(twoFactor.recoveryCodes) : texts.factorOff}</p>
      {isOn && (
        <>
          <p class="soft">{texts.removeFactorHint}</p>
          <Form action={`${action}/two_factor/remove`} formToken={formToken} name="factor">
            <Submit label={texts.removeFactor} isDanger />
          </Form>
        </>
      )}
    </section>
  );
}
