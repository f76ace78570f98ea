import type { Page } from "../../../../core/paging.ts";
import type { RepositoryName } from "../../../../ui/addresses.ts";
import { Empty, Pager } from "../../../../ui/blocks.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Do, Row, Rows } from "../../../../ui/rows.tsx";
import { sizeText } from "../../../../ui/texts/size.ts";
import { useLanguage, useTexts } from "../../../../ui/texts/texts.ts";
import { Ago } from "../../../../ui/time.tsx";
import { runTexts } from "../texts/texts.ts";
import { cachesPath, runsPath } from "../views/runs.tsx";
import type { Cache } from "./model.ts";

export interface CachesProps {
  readonly repository: RepositoryName;
  readonly caches: readonly Cache[];
  readonly total: number;
  /** Size of all. */
  readonly bytes: number;
  readonly page: Page;
  readonly now: number;
  /** Undefined: the reader may not delete caches. */
  readonly formToken: string | undefined;
}

/** The caches of a repository, the most recently used first. */
export function CachesView({ repository, caches, total, bytes, page, now, formToken }: CachesProps): Html {
  const { caches: texts, backToAll } = useTexts(runTexts);
  const language = useLanguage();
  return (
    <>
      <p>
        <a href={runsPath(repository)}>{backToAll}</a>
      </p>
      {total === 0 ? (
        <Empty icon="archive" title={texts.none}>
          <p>{texts.hint}</p>
        </Empty>
      ) : (
        <>
          <p class="soft">{texts.count(total, sizeText(bytes, language))}</p>
          <Rows>
            {caches.map(({ id, key, ref, sizeBytes, usedMs }) => (
              <Row
                action={
                  formToken !== undefined && (
                    <Do action={`${cachesPath(repository)}/${id}/delete`} formToken={formToken} label={texts.delete} of={key} isDanger />
                  )
                }
              >
                <code dir="auto">{key}</code>
                <div class="soft">
                  {ref.replace(/^refs\/(?:heads|tags)\//, "").replace(/^refs\//, "")} · {sizeText(sizeBytes, language)} · {texts.used}{" "}
                  <Ago ms={usedMs} now={now} />
                </div>
              </Row>
            ))}
          </Rows>
          <Pager path={cachesPath(repository)} page={page} total={total} />
        </>
      )}
    </>
  );
}
