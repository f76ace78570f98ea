import type { Page } from "../../../../core/paging.ts";
import { encodeSegment } from "../../../../core/urls.ts";
import { Empty, Pager } from "../../../../ui/blocks.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Row, Rows } from "../../../../ui/rows.tsx";
import { administrationPaths } from "../../../../ui/settings.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import type { EmailView } from "../../../accounts/users/model.ts";
import { accountTexts } from "../../../accounts/users/texts/texts.ts";
import { adminTexts } from "../texts/texts.ts";
import { Find } from "./find.tsx";

export interface EmailsProps {
  readonly path: string;
  readonly emails: readonly EmailView[];
  readonly total: number;
  readonly text: string;
  readonly page: Page;
}

/** Email addresses with their account and state. They are changed on the page of the account. */
export function EmailsView({ path, emails, total, text, page }: EmailsProps): Html {
  const texts = useTexts(adminTexts);
  const account = useTexts(accountTexts);
  return (
    <>
      <Find path={path} text={text} label={texts.findEmails} />
      {emails.length === 0 && (
        <Empty icon="search" title={texts.noEntries}>
          <p>
            <a href={path}>{texts.allEmails}</a>
          </p>
        </Empty>
      )}
      <Rows>
        {emails.map(({ email, accountName, isPrimary, isVerified }) => (
          <Row>
            <bdi>{email}</bdi> {isPrimary && <span class="badge">{account.primary}</span>}{" "}
            <span class={isVerified ? "badge good" : "badge"}>{isVerified ? account.verified : account.unverified}</span>
            <div class="soft">
              <a href={`${administrationPaths.users}/${encodeSegment(accountName)}`}>{accountName}</a>
            </div>
          </Row>
        ))}
      </Rows>
      <Pager path={path} query={{ q: text }} page={page} total={total} />
    </>
  );
}
