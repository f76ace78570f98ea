import { messageTitle } from "../../../../core/commit-message.ts";
import type { Page } from "../../../../core/paging.ts";
import { commitPath, contributorsPath, graphPath, historyPath, type RepositoryName, type RevName, sourcePath, withQuery } from "../../../../ui/addresses.ts";
import { Author } from "../../../../ui/avatar.tsx";
import { Empty, Pager } from "../../../../ui/blocks.tsx";
import { CopyButton } from "../../../../ui/copy.tsx";
import { Field } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { RevMenu, type RevNames } from "../../../../ui/rev-menu.tsx";
import { useLanguage, useTexts } from "../../../../ui/texts/texts.ts";
import { Ago, dayName } from "../../../../ui/time.tsx";
import type { CommitView } from "../model.ts";
import type { BrowsedCommits } from "../service/history.ts";
import { historyTexts } from "../texts/texts.ts";
import type { TypedSearch } from "../web/search-form.ts";
import { CheckMark, type Checks } from "./check-mark.tsx";

export interface HistoryProps extends BrowsedCommits {
  readonly repository: RepositoryName;
  readonly at: RevName;
  /** Only commits that changed this path; empty for all. */
  readonly path: string;
  readonly page: Page;
  readonly checks: ChecksOfCommits;
  readonly now: number;
}

/** By commit id; commits without checks are missing. */
export type ChecksOfCommits = ReadonlyMap<string, Checks>;

export interface HistoryBarProps extends Pick<HistoryProps, "repository" | "at" | "path"> {
  readonly revs: RevNames;
  /** The submitted values of the search. */
  readonly typed: TypedSearch | undefined;
  /** The error of the search. */
  readonly problem: string | undefined;
}

/** The path and branch of the history, with links to other views of it, and the search form. */
export function HistoryBar({ repository, at, path, revs, typed, problem }: HistoryBarProps): Html {
  const texts = useTexts(historyTexts);
  const branch = at.kind === "branch" ? at.rev : undefined;
  return (
    <>
      <div class="bar">
        <RevMenu repository={repository} at={at} path={path} page="commits" revs={revs} />
        {path === "" && (
          <>
            <a class="button" href={withQuery(graphPath(repository), { branch })}>
              <Icon name="git-branch" />
              {texts.graph}
            </a>
            <a class="button" href={contributorsPath(repository)}>
              <Icon name="graph" />
              {texts.contributors}
            </a>
          </>
        )}
      </div>
      {path !== "" && (
        <p>
          {texts.ofPath} <a href={sourcePath(repository, at, path)}>{path}</a>
        </p>
      )}
      <SearchForm action={historyPath(repository, at, path)} typed={typed} problem={problem} />
    </>
  );
}

const blank: TypedSearch = { q: "", author: "", since: "", until: "" };

interface SearchFormProps extends Pick<HistoryBarProps, "typed" | "problem"> {
  readonly action: string;
}

function SearchForm({ action, typed = blank, problem }: SearchFormProps): Html {
  const texts = useTexts(historyTexts);
  const { q, author, since, until } = typed;
  return (
    <>
      {problem !== undefined && (
        <p class="notice bad" role="alert">
          {problem}
        </p>
      )}
      <form class="find" action={action} role="search">
        <Field name="q" label={texts.search} value={q} example={texts.searchHint} autocomplete="off" isOptional />
        <button type="submit">{texts.searchButton}</button>
        <details class="more" open={[author, since, until].some((value) => value !== "")}>
          <summary>{texts.filters}</summary>
          <div class="bar">
            <Field name="author" label={texts.author} value={author} example={texts.authorExample} autocomplete="off" isOptional />
            <Field name="since" label={texts.since} type="date" value={since} autocomplete="off" isOptional />
            <Field name="until" label={texts.until} type="date" value={until} autocomplete="off" isOptional />
          </div>
        </details>
      </form>
    </>
  );
}

/** The list of commits, newest first. */
export function HistoryView({ repository, at, path, items, total, hasNext, page, checks, now }: HistoryProps): Html {
  const texts = useTexts(historyTexts);
  return (
    <>
      {items.length === 0 ? <Empty icon="history" title={texts.none} /> : <CommitList repository={repository} commits={items} checks={checks} now={now} />}
      <Pager path={historyPath(repository, at, path)} page={page} total={total} hasNext={hasNext} />
    </>
  );
}

export interface CommitListProps {
  readonly repository: RepositoryName;
  /** Newest first. */
  readonly commits: readonly CommitView[];
  readonly checks: ChecksOfCommits;
  readonly now: number;
}

/** Commits under the days of their commit dates, in UTC. */
export function CommitList({ repository, commits, checks, now }: CommitListProps): Html {
  const texts = useTexts(historyTexts);
  const language = useLanguage();
  return (
    <ol class="commit-days">
      {byDay(commits).map(({ ms, views }) => (
        <li>
          <h2>
            <Icon name="git-commit" />
            {texts.onDay(dayName(ms, language))}
          </h2>
          <ol class="commits box">
            {views.map((view) => (
              <CommitRow repository={repository} view={view} checks={checks} now={now} />
            ))}
          </ol>
        </li>
      ))}
    </ol>
  );
}

/** Neighbouring commits of one day. Commit dates need not be in order, so a day can occur more than once. */
function byDay(commits: readonly CommitView[]): readonly { readonly ms: number; readonly views: readonly CommitView[] }[] {
  const dayOf = ({ commit }: CommitView): number => Math.floor(commit.committer.seconds / secondsPerDay);
  const starts = commits.flatMap((view, at) => {
    const before = commits[at - 1];
    return before !== undefined && dayOf(before) === dayOf(view) ? [] : [{ at, ms: view.commit.committer.seconds * 1_000 }];
  });
  return starts.map(({ at, ms }, index) => ({ ms, views: commits.slice(at, starts[index + 1]?.at) }));
}

const secondsPerDay = 86_400;

interface RowProps {
  readonly repository: RepositoryName;
  readonly view: CommitView;
  readonly checks: ChecksOfCommits;
  readonly now: number;
}

export function CommitRow({ repository, view, checks, now }: RowProps): Html {
  const texts = useTexts(historyTexts);
  const { commit, author } = view;
  return (
    <li>
      <div class="what">
        <a href={commitPath(repository, commit.oid)}>{messageTitle(commit.message)}</a>
        <div class="who">
          <Author account={author} signature={commit.author} size={16} />
          {", "}
          <Ago ms={commit.author.seconds * 1_000} now={now} />
        </div>
      </div>
      <CheckMark checks={checks.get(commit.oid)} />
      {view.verdict?.isVerified === true && <span class="badge good">{texts.verified}</span>}
      <a class="oid" href={commitPath(repository, commit.oid)}>
        {commit.oid.slice(0, 10)}
      </a>
      <CopyButton text={commit.oid} />
      <a class="button" href={sourcePath(repository, { kind: "commit", rev: commit.oid })} title={texts.browse}>
        <Icon name="code" label={texts.browse} />
      </a>
    </li>
  );
}
