import type { Page, Paged } from "../../../../core/paging.ts";
import { accountPath, type RepositoryName, settingsPath } from "../../../../ui/addresses.ts";
import { Empty, Pager } from "../../../../ui/blocks.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Do, Row, Rows } from "../../../../ui/rows.tsx";
import { fill } from "../../../../ui/texts/fill.ts";
import { countText } from "../../../../ui/texts/numbers.ts";
import { sizeText } from "../../../../ui/texts/size.ts";
import { useLanguage, useTexts } from "../../../../ui/texts/texts.ts";
import { Ago } from "../../../../ui/time.tsx";
import type { LfsLock } from "../model.ts";
import { lfsTexts } from "../texts/texts.ts";

export interface LfsSettingsProps {
  readonly repository: RepositoryName;
  readonly objects: Paged<{ readonly oid: string; readonly sizeBytes: number; readonly createdMs: number }> & { readonly totalBytes: number };
  readonly page: Page;
  readonly locks: readonly LfsLock[];
  readonly hasMoreLocks: boolean;
  readonly formToken: string;
  readonly now: number;
}

/** The large files of a repository and their locks. */
export function LfsSettings(props: LfsSettingsProps): Html {
  const texts = useTexts(lfsTexts);
  const language = useLanguage();
  const { repository, objects, page, now } = props;
  const { items, total, totalBytes } = objects;
  return (
    <>
      <section>
        <h2>{texts.objects}</h2>
        {total === 0 ? (
          <Empty icon="file-binary" title={texts.noObjects}>
            <p>{texts.noObjectsHint}</p>
          </Empty>
        ) : (
          <>
            <p class="soft">
              {texts.objectsHow} {texts.total(countText(total, language), sizeText(totalBytes, language), total)}
            </p>
            <Rows>
              {items.map(({ oid, sizeBytes, createdMs }) => (
                <Row>
                  <code class="oid">{oid}</code>
                  <div class="soft">
                    {sizeText(sizeBytes, language)}
                    {", "}
                    {fill<Html>(texts.uploaded, { when: <Ago ms={createdMs} now={now} /> })}
                  </div>
                </Row>
              ))}
            </Rows>
            <Pager path={settingsPath(repository, "/lfs")} page={page} total={total} />
          </>
        )}
      </section>
      <Locks {...props} />
    </>
  );
}

function Locks({ repository, locks, hasMoreLocks, formToken, now }: LfsSettingsProps): Html {
  const texts = useTexts(lfsTexts);
  return (
    <section>
      <h2>{texts.locks}</h2>
      <p class="soft">{locks.length === 0 ? texts.noLocks : texts.locksHow}</p>
      {locks.length > 0 && (
        <Rows>
          {locks.map(({ id, path, ownerName, createdMs }) => (
            <Row
              action={
                <Do
                  action={settingsPath(repository, "/lfs/unlock")}
                  formToken={formToken}
                  label={texts.unlock}
                  of={path}
                  hidden={{ id: String(id) }}
                  isDanger
                />
              }
            >
              <bdi>{path}</bdi>
              <div class="soft">
                {fill<Html>(texts.lockedBy, { owner: <a href={accountPath(ownerName)}>{ownerName}</a>, when: <Ago ms={createdMs} now={now} /> })}
              </div>
            </Row>
          ))}
        </Rows>
      )}
      {hasMoreLocks && <p class="soft">{texts.moreLocks}</p>}
    </section>
  );
}
