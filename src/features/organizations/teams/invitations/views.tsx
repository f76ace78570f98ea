import { accountPath, organizationPath, withQuery } from "../../../../ui/addresses.ts";
import { Form, Submit } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Do, Row, Rows } from "../../../../ui/rows.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { Day } from "../../../../ui/time.tsx";
import { teamTexts } from "../texts/texts.ts";
import type { Invitation, InvitationView } from "./model.ts";

export interface InvitationsProps {
  readonly organization: { readonly name: string };
  readonly invitations: readonly InvitationView[];
  readonly formToken: string;
}

/** The open invitations of an organization, for its owners; empty if there are none. */
export function Invitations({ organization, invitations, formToken }: InvitationsProps): Html {
  const texts = useTexts(teamTexts).invitations;
  if (invitations.length === 0) return null;
  const path = organizationPath(organization.name, "/invitations");
  return (
    <section id="invitations">
      <h2>{texts.title}</h2>
      <Rows>
        {invitations.map(({ id, email, teamName, inviterName, expiresMs, isValid }) => {
          const of = { formToken, of: email, hidden: { id: String(id) } };
          return (
            <Row
              action={
                <div class="end">
                  <Do {...of} action={`${path}/resend`} label={texts.resend} />
                  <Do {...of} action={`${path}/revoke`} label={texts.revoke} isDanger />
                </div>
              }
            >
              <strong>{email}</strong>
              <div class="soft">
                {texts.details(teamName, inviterName)}
                {" · "}
                {isValid ? (
                  <>
                    {texts.validUntil} <Day ms={expiresMs} />
                  </>
                ) : (
                  <span class="badge bad">{texts.ended}</span>
                )}
              </div>
            </Row>
          );
        })}
      </Rows>
    </section>
  );
}

export interface InvitationPageProps {
  readonly invitation: Invitation;
  readonly code: string;
  /** The name of the reader and the token of their session; undefined for visitors. */
  readonly viewer: { readonly name: string; readonly formToken: string } | undefined;
  /** A code with which a visitor can create an account. */
  readonly registration: string | undefined;
}

/** The page of an emailed link: the reader joins, after they have signed in or created an account. */
export function InvitationPage({ invitation, code, viewer, registration }: InvitationPageProps): Html {
  const texts = useTexts(teamTexts).invitations;
  const { inviterName, orgName, teamName, email } = invitation;
  const here = withQuery("/user/invitation", { code });
  return (
    <>
      <p>{texts.invited(inviterName, orgName, teamName)}</p>
      <p class="soft">{texts.sentTo(email)}</p>
      {viewer !== undefined ? (
        <>
          <Form action="/user/invitation" formToken={viewer.formToken} hidden={{ code }}>
            <Submit label={texts.join(orgName)} />
          </Form>
          <p>
            {texts.signedInAs} <a href={accountPath(viewer.name)}>{viewer.name}</a>
          </p>
        </>
      ) : (
        <>
          <p>
            <a class="button primary" href={withQuery("/user/login", { redirect_to: here })}>
              {texts.signIn}
            </a>
          </p>
          {registration !== undefined && (
            <p>
              {texts.noAccount} <a href={withQuery("/user/sign_up/confirm", { code: registration, redirect_to: here })}>{texts.register}</a>
            </p>
          )}
        </>
      )}
    </>
  );
}
