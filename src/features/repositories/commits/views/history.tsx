import { messageTitle } from "../../../../core/commit-message.ts";
import type { Page } from "../../../../core/paging.ts";
import {
  accountPath,
  commitPath,
  contributorsPath,
  graphPath,
  historyPath,
  type RepositoryName,
  type RevName,
  sourcePath,
  withQuery,
} from "../../../../ui/addresses.ts";
import { Empty, Pager } from "../../../../ui/blocks.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { RevMenu, type RevNames } from "../../../../ui/rev-menu.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { Ago } from "../../../../ui/time.tsx";
import type { CommitView } from "../model.ts";
import type { BrowsedCommits } from "../service/history.ts";
import { historyTexts } from "../texts/texts.ts";

export interface HistoryProps extends BrowsedCommits {
  readonly repository: RepositoryName;
  readonly at: RevName;
  /** Only commits that changed this path; empty for all. */
  readonly path: string;
  readonly page: Page;
  readonly now: number;
}

export interface HistoryBarProps extends Pick<HistoryProps, "repository" | "at" | "path"> {
  readonly revs: RevNames;
}

/** The path and branch of the history, with links to other views of it. */
export function HistoryBar({ repository, at, path, revs }: HistoryBarProps): Html {
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
    </>
  );
}

/** The list of commits, newest first. */
export function HistoryView({ repository, at, path, items, total, hasNext, page, now }: HistoryProps): Html {
  const texts = useTexts(historyTexts);
  return (
    <>
      {items.length === 0 ? (
        <Empty icon="history" title={texts.none} />
      ) : (
        <ol class="commits box">
          {items.map((view) => (
            <CommitRow repository={repository} view={view} now={now} />
          ))}
        </ol>
      )}
      <Pager path={historyPath(repository, at, path)} page={page} total={total} hasNext={hasNext} />
    </>
  );
}

interface RowProps {
  readonly repository: RepositoryName;
  readonly view: CommitView;
  readonly now: number;
}

export function CommitRow({ repository, view, now }: RowProps): Html {
  const texts = useTexts(historyTexts);
  const { commit, author } = view;
  return (
    <li>
      <div class="what">
        <a href={commitPath(repository, commit.oid)}>{messageTitle(commit.message)}</a>
        <div class="who">
          {author === undefined ? commit.author.name : <a href={accountPath(author.name)}>{author.fullName || author.name}</a>}
          {", "}
          <Ago ms={commit.author.seconds * 1_000} now={now} />
        </div>
      </div>
      {view.verdict?.isVerified === true && <span class="badge good">{texts.verified}</span>}
      <a class="oid" href={commitPath(repository, commit.oid)}>
        {commit.oid.slice(0, 10)}
      </a>
      <a class="button" href={sourcePath(repository, { kind: "commit", rev: commit.oid })} title={texts.browse}>
        <Icon name="code" label={texts.browse} />
      </a>
    </li>
  );
}
