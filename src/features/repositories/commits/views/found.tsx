import { historyPath, withQuery } from "../../../../ui/addresses.ts";
import { Empty } from "../../../../ui/blocks.tsx";
import type { Html } from "../../../../ui/html.ts";
import { fill } from "../../../../ui/texts/fill.ts";
import { countText } from "../../../../ui/texts/numbers.ts";
import { useLanguage, useTexts } from "../../../../ui/texts/texts.ts";
import { Day } from "../../../../ui/time.tsx";
import type { FoundCommits } from "../service/search.ts";
import { historyTexts } from "../texts/texts.ts";
import type { TypedSearch } from "../web/search-form.ts";
import { CommitList, type HistoryProps } from "./history.tsx";

export interface FoundProps extends FoundCommits, Pick<HistoryProps, "repository" | "at" | "path" | "checks" | "now"> {
  readonly typed: TypedSearch;
  /** Number of commits that the search skipped. */
  readonly skip: number;
  /** Number of commits that one search reads. */
  readonly searched: number;
}

/** The commits that match a search. */
export function FoundView({ repository, at, path, commits, next, last, typed, skip, searched, checks, now }: FoundProps): Html {
  const texts = useTexts(historyTexts);
  const language = useLanguage();
  const address = historyPath(repository, at, path);
  const from = (count: number): string => withQuery(address, { ...filled(typed), skip: count === 0 ? undefined : count });
  return (
    <>
      {commits.length === 0 ? (
        <Empty icon="search" title={last === undefined && skip === 0 ? texts.noneFound : texts.noneFoundHere}>
          <p>{texts.noneFoundHint}</p>
          <p>
            <a href={address}>{texts.allCommits}</a>
          </p>
        </Empty>
      ) : (
        <CommitList repository={repository} commits={commits} checks={checks} now={now} />
      )}
      {last !== undefined && (
        <p class="notice">{fill<Html>(texts.searchCut(countText(searched, language)), { when: <Day ms={last.commit.committer.seconds * 1_000} /> })}</p>
      )}
      {(skip > 0 || next !== undefined) && (
        <p class="bar">
          {skip > 0 && <a href={from(0)}>{texts.newestMatches}</a>}
          {next !== undefined && (
            <a href={from(next)} rel="next">
              {last === undefined ? texts.olderMatches : texts.searchOlder}
            </a>
          )}
        </p>
      )}
    </>
  );
}

const filled = (typed: TypedSearch): Readonly<Record<string, string>> => Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== ""));
