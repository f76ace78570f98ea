import type { Page } from "../../../../core/paging.ts";
import { Empty, Pager } from "../../../../ui/blocks.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Do, Row, Rows } from "../../../../ui/rows.tsx";
import { administrationPaths } from "../../../../ui/settings.tsx";
import { Technical } from "../../../../ui/technical.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { Moment } from "../../../../ui/time.tsx";
import { noticeTexts } from "../texts/texts.ts";
import type { NoticeView } from "./model.ts";

export interface NoticesProps {
  readonly path: string;
  readonly notices: readonly NoticeView[];
  readonly total: number;
  readonly page: Page;
  readonly formToken: string;
}

export function NoticesView({ path, notices, total, page, formToken }: NoticesProps): Html {
  const texts = useTexts(noticeTexts);
  const newest = notices[0];
  return (
    <>
      <p class="soft">{texts.intro}</p>
      {newest === undefined ? (
        <Empty icon="check-circle" title={texts.none} />
      ) : (
        <div class="bar">
          <Do action={`${path}/delete`} formToken={formToken} label={texts.deleteAll} hidden={{ newest: String(newest.id) }} isDanger />
        </div>
      )}
      <Rows>
        {notices.map((notice) => (
          <Row
            action={
              <Do
                action={`${path}/${notice.id}/delete`}
                formToken={formToken}
                label={texts.delete}
                of={texts.sentences[notice.kind](notice.subject)}
                isDanger
              />
            }
          >
            <Notice notice={notice} />
          </Row>
        ))}
      </Rows>
      <Pager path={path} page={page} total={total} />
    </>
  );
}

function Notice({ notice: { kind, subject, message, owner, createdMs } }: { readonly notice: NoticeView }): Html {
  const texts = useTexts(noticeTexts);
  return (
    <>
      {texts.sentences[kind](subject)}
      <div class="soft">
        <Moment ms={createdMs} />
        {owner !== "" && (
          <>
            {" · "}
            <a href={`/${owner.replace(/\.wiki$/, "/wiki")}`}>{owner}</a>
          </>
        )}
        {kind === "job_failed" && (
          <>
            {" · "}
            <a href={administrationPaths.jobs}>{texts.jobs}</a>
          </>
        )}
        {kind === "store_damaged" && (
          <>
            {" · "}
            <a href={administrationPaths.overview}>{texts.overview}</a>
          </>
        )}
      </div>
      {message !== "" && <Technical message={message} />}
    </>
  );
}
