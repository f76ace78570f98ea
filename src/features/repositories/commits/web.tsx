import type { RepositorySubject } from "../../../access/subjects.ts";
import type { Clock } from "../../../core/clock.ts";
import { notFound } from "../../../core/errors.ts";
import { encodePath } from "../../../core/urls.ts";
import type { Oid } from "../../../git/types.ts";
import { seeOther } from "../../../http/form-submit.ts";
import { pageReader } from "../../../http/page-reader.ts";
import { readingPage } from "../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { repositoryPath } from "../../../ui/addresses.ts";
import type { Html } from "../../../ui/html.ts";
import { renderRepositoryPage } from "../../../ui/repository-page.tsx";
import { SlowPart, streamPage } from "../../../ui/slow-part.tsx";
import { textsFor } from "../../../ui/texts/texts.ts";
import type { RefMenus } from "../refs/service/menus.ts";
import { repositoryHeader } from "../repos/header.ts";
import { getRepository } from "../repos/service/loaders.ts";
import type { CommitDetail, CommitView } from "./model.ts";
import { browseCommits, hasPath } from "./service/history.ts";
import type { CommitDeps } from "./service/loaders.ts";
import { searchCommits, searchedCommits } from "./service/search.ts";
import { historyTexts } from "./texts/texts.ts";
import { FoundView } from "./views/found.tsx";
import { type ChecksOfCommits, HistoryBar, HistoryView } from "./views/history.tsx";
import { readSearch, readTypedSearch, searchQuery } from "./web/search-form.ts";

export interface HistoryPageDeps extends CommitDeps {
  readonly clock: Clock;
  readonly refMenus: RefMenus;
  /** Splits the name of a commit off the front of a path. */
  readonly splitPath: SplitPath;
  /** Prepends the kind of revision to a path that begins with a revision. */
  readonly completePath: (repository: RepositorySubject, path: string) => Promise<string>;
  /** The combined checks of commits. Provided by the composition root, because statuses are a later feature. */
  readonly checksOfCommits: (repository: RepositorySubject, oids: readonly Oid[]) => Promise<ChecksOfCommits>;
}

type Kind = "branch" | "tag" | "commit";
export type SplitPath = (
  repository: RepositorySubject,
  path: string,
  kind: Kind,
) => Promise<{ readonly rev: string; readonly oid: Oid; readonly path: string } | undefined>;

const page = readingPage("repo.code");

const signatures: CommitDetail = { stats: false, files: false, verification: true };

/** The web pages of the history. */
export const historyPages = (deps: HistoryPageDeps): Route[] => [
  defineRoute({
    ...page,
    id: "defaultHistoryPage",
    isExpensive: true,
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
    isExpensive: true,
    path: "/{owner}/{repo}/commits/{filepath+}",
    summary: "Commits of a branch, tag or commit, optionally of one file or directory, or those that match a search",
    query: searchQuery,
    handle: async (request) => {
      const { actor, repository, params, signal } = request;
      const [, kind, rest] = /^(branch|tag|commit)\/(.+)$/s.exec(params.filepath) ?? [];
      if (rest === undefined) return seeOther(`/${encodePath(`${repository.fullName}/commits/${await deps.completePath(repository, params.filepath)}`)}`);
      const found = await deps.splitPath(repository, rest, kind as Kind);
      if (found === undefined) throw notFound();
      const filter = { rev: found.oid, path: found.path || undefined, notRev: undefined, sinceMs: undefined, untilMs: undefined };
      const view = await getRepository(deps, actor, repository.id);
      const reader = pageReader(request);
      const title = textsFor(historyTexts, reader.languages).title(found.rev);
      const at = { kind: kind as Kind, rev: found.rev };
      const typed = readTypedSearch(request.query);
      const { search, problem } = typed === undefined ? {} : readSearch(typed, reader.languages);
      const viewing = { actor, repository, detail: signatures, signal };
      const shown = { repository, at, path: found.path, now: deps.clock.now() };
      const part = async (): Promise<Html> => {
        if (typed !== undefined && search === undefined) return null;
        if (typed !== undefined && search !== undefined) {
          const skip = Math.max(0, request.query.skip ?? 0);
          const matches = await searchCommits(deps, viewing, { ...search, tipOid: found.oid, path: found.path, skip });
          const checks = await checksOf(deps, repository, matches.commits);
          return <FoundView {...shown} {...matches} typed={typed} skip={skip} searched={searchedCommits} checks={checks} />;
        }
        const browsed = await browseCommits(deps, viewing, filter, request.page);
        return <HistoryView {...shown} {...browsed} page={request.page} checks={await checksOf(deps, repository, browsed.items)} />;
      };
      const below = encodePath(found.path === "" ? found.rev : `${found.rev}/${found.path}`);
      const feed =
        kind === "branch"
          ? { rss: `${repositoryPath(repository)}/rss/branch/${below}`, atom: `${repositoryPath(repository)}/atom/branch/${below}` }
          : undefined;
      const page = { ...reader, repository: repositoryHeader(view), tab: "code", title, heading: title, ...(feed && { feed }) } as const;
      // Only git can find the commits that changed a path. Paths that do not exist skip the search.
      const isSlow = search !== undefined || (found.path !== "" && (await hasPath(deps, repository, found.oid, found.path)));
      const revs = await deps.refMenus.offer(repository);
      const bar = <HistoryBar repository={repository} at={at} path={found.path} revs={revs} typed={typed} problem={problem} />;
      return isSlow ? streamPage(renderRepositoryPage(page, bar, <SlowPart />), reader.languages, part) : renderRepositoryPage(page, bar, await part());
    },
  }),
];

const checksOf = (deps: HistoryPageDeps, repository: RepositorySubject, views: readonly CommitView[]): Promise<ChecksOfCommits> =>
  deps.checksOfCommits(
    repository,
    views.map(({ commit }) => commit.oid),
  );
