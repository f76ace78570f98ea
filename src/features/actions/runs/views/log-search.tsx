import { type RepositoryName, withQuery } from "../../../../ui/addresses.ts";
import type { Html } from "../../../../ui/html.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import type { JobRow, RunRow } from "../model.ts";
import type { LogSearch } from "../service/search-log.ts";
import { runTexts } from "../texts/texts.ts";
import { textHtml } from "./log-text.ts";
import { runPath } from "./runs.tsx";

export const maxQueryLength = 200;

/** Lines before a found one that its page shows. */
const linesBefore = 20;

interface LogSearchFormProps {
  /** The address of the page of the job. */
  readonly own: string;
  readonly query?: string;
}

/** It works without scripts, and finds lines that the page of the job does not show. */
export function LogSearchForm({ own, query = "" }: LogSearchFormProps): Html {
  const { search: texts } = useTexts(runTexts);
  return (
    <form class="find" action={`${own}/search`}>
      <input type="search" name="q" value={query} maxLength={maxQueryLength} aria-label={texts.label} placeholder={texts.label} />
      <button type="submit">{texts.submit}</button>
    </form>
  );
}

interface LogSearchProps {
  readonly repository: RepositoryName;
  readonly run: RunRow;
  readonly job: JobRow;
  readonly search: LogSearch;
}

/** The lines that a search found. They are links to their places in the log. */
export function LogSearchView({ repository, run, job, search: { query, found, isCut } }: LogSearchProps): Html {
  const { search: texts } = useTexts(runTexts);
  const own = runPath(repository, run.id, `/jobs/${job.id}`);
  return (
    <>
      <p>
        <a href={own}>{texts.back(job.name)}</a>
      </p>
      <LogSearchForm own={own} query={query} />
      {query !== "" && <p>{isCut ? texts.first(found.length) : texts.count(found.length)}</p>}
      {found.length > 0 && (
        <ol class="run-log">
          {found.map(({ row, line }) => (
            <li value={row + 1}>
              <a
                href={`${withQuery(own, { from: Math.max(0, row - linesBefore) || undefined })}#L${row + 1}`}
                dangerouslySetInnerHTML={{ __html: textHtml(line) }}
              />
            </li>
          ))}
        </ol>
      )}
    </>
  );
}
