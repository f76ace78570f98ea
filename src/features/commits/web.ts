import { h } from "preact";
import { isUser } from "../../access/actor.ts";
import { atLeast } from "../../access/repository.ts";
import type { Clock } from "../../core/clock.ts";
import { notFound } from "../../core/errors.ts";
import { encodePath } from "../../core/urls.ts";
import type { Oid } from "../../git/types.ts";
import { pageReader } from "../../http/page-reader.ts";
import { readingPage } from "../../http/page-route.ts";
import { query } from "../../http/query.ts";
import { defineRoute, type Route } from "../../http/route.ts";
import { repositoryPath } from "../../ui/addresses.ts";
import { showsSplit } from "../../ui/diff.ts";
import { renderRepositoryPage } from "../../ui/repository-page.ts";
import { textsFor } from "../../ui/texts/texts.ts";
import { repositoryHeader } from "../repos/header.ts";
import { getRepository } from "../repos/service/views.ts";
import { getCommit } from "./service/commit.ts";
import { readDifference } from "./service/difference.ts";
import { listCommits } from "./service/history.ts";
import type { CommitDeps } from "./service/views.ts";
import type { FileDiff } from "./unified-diff.ts";
import type { CommitDetail } from "./view.ts";
import { CommitPage } from "./views/commit.ts";
import { HistoryView } from "./views/history.ts";

export interface CommitPageDeps extends CommitDeps {
  readonly clock: Clock;
  /** Takes the name of a commit off the front of a path. */
  readonly splitPath: SplitPath;
  /** What changed, with the colours of its languages. */
  readonly colourPage: (diffs: readonly FileDiff[]) => Promise<readonly FileDiff[]>;
}

type Kind = "branch" | "tag" | "commit";
export type SplitPath = (
  repository: Parameters<typeof getCommit>[1]["repository"],
  path: string,
  kind: Kind,
) => Promise<{ readonly rev: string; readonly oid: Oid; readonly path: string } | undefined>;

const page = readingPage("repo.code");

const signatures: CommitDetail = { stats: false, files: false, verification: true };

/** History, as people look at it. */
export const commitPages = (deps: CommitPageDeps): Route[] => [
  defineRoute({
    ...page,
    id: "defaultHistoryPage",
    path: "/{owner}/{repo}/commits",
    summary: "Commits of the default branch",
    handle: ({ repository }) => ({
      status: 303,
      headers: { location: `/${encodePath(`${repository.fullName}${repository.isEmpty ? "" : `/commits/branch/${repository.defaultBranch}`}`)}` },
    }),
  }),
  defineRoute({
    ...page,
    id: "historyPage",
    path: "/{owner}/{repo}/commits/{filepath+}",
    summary: "Commits of a branch, tag or commit, of one file or directory where a path is given",
    handle: async (request) => {
      const { actor, repository, params, signal } = request;
      const [, kind, rest] = /^(branch|tag|commit)\/(.+)$/s.exec(params.filepath) ?? [];
      const found = rest === undefined ? undefined : await deps.splitPath(repository, rest, kind as Kind);
      if (found === undefined) throw notFound();
      const filter = { rev: found.oid, path: found.path || undefined, notRev: undefined, sinceMs: undefined, untilMs: undefined };
      const { items, total } = await listCommits(deps, { actor, repository, detail: signatures, signal }, filter, request.page);
      const view = await getRepository(deps, actor, repository.id);
      const reader = pageReader(request);
      const title = textsFor(reader.languages).history.title(found.rev);
      const at = { kind: kind as Kind, rev: found.rev };
      const facts = { repository, at, path: found.path, commits: items, total, page: request.page, now: deps.clock.now() };
      const below = encodePath(found.path === "" ? found.rev : `${found.rev}/${found.path}`);
      const feed =
        kind === "branch"
          ? { rss: `${repositoryPath(repository)}/rss/branch/${below}`, atom: `${repositoryPath(repository)}/atom/branch/${below}` }
          : undefined;
      const page = { ...reader, repository: repositoryHeader(view), tab: "commits", title, heading: title, ...(feed && { feed }) } as const;
      return renderRepositoryPage(page, h(HistoryView, facts));
    },
  }),
  defineRoute({
    ...page,
    id: "commitPage",
    path: "/{owner}/{repo}/commit/{sha+}",
    summary: "A commit and what it changed",
    query: { style: query.text("Both sides in one column, or beside each other", ["unified", "split"]) },
    handle: async (request) => {
      const { actor, repository, params, signal } = request;
      const commit = await getCommit(deps, { actor, repository, detail: signatures, signal }, params.sha);
      const { files, isCut } = await readDifference(deps, { actor, repository, signal }, commit.commit.oid);
      const view = await getRepository(deps, actor, repository.id);
      const canCommit = isUser(actor) && !repository.isArchived && !repository.isMirror && atLeast(repository.right.unit("repo.code"), "write");
      const isSplit = showsSplit(request.query.style, isUser(actor) ? actor.display : undefined);
      const facts = { repository, view: commit, files: await deps.colourPage(files), isCut, isSplit, canCommit, now: deps.clock.now() };
      const title = commit.commit.message.split("\n", 1)[0] || commit.commit.oid.slice(0, 10);
      return renderRepositoryPage({ ...pageReader(request), repository: repositoryHeader(view), tab: "commits", title, heading: null }, h(CommitPage, facts));
    },
  }),
];
