import type { RepositorySubject } from "../../../access/subjects.ts";
import { mapInTurns } from "../../../core/turns.ts";
import type { Urls } from "../../../core/urls.ts";
import { repository } from "../../../http/access.ts";
import { envelope, json, list, type RawReply, raw } from "../../../http/answers.ts";
import { query } from "../../../http/query.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { Commit, Compare, Note } from "../../../wire/commit.ts";
import { GitBlobResponse, GitTreeResponse } from "../../../wire/git-data.ts";
import { text } from "../../../wire/schema.ts";
import { createGitUrls } from "../repos/git-urls.ts";
import type { CommitDetail } from "./model.ts";
import { type CommitLocation, presentBlob, presentCommit, presentComparison, presentNote, presentTree } from "./present.ts";
import { type BlobDeps, getBlob } from "./service/blobs.ts";
import type { TextDeps } from "./service/changes-text.ts";
import { getCommit, streamCommitText } from "./service/commit.ts";
import { type CompareDeps, compareCommits } from "./service/compare.ts";
import { listCommits } from "./service/history.ts";
import type { Viewing } from "./service/loaders.ts";
import { getNote } from "./service/notes.ts";
import { getTree, treePageSize } from "./service/trees.ts";

export interface CommitApiDeps extends CompareDeps, BlobDeps, TextDeps {
  readonly git: CompareDeps["git"];
  readonly urls: Urls;
}

const reader = repository.reader("repo.code");

const detailQuery = {
  stat: query.bool("Include the numbers of added and deleted lines; true by default"),
  verification: query.bool("Include the signature verification; true by default"),
  files: query.bool("Include the changed files; true by default"),
};

const readDetail = ({ stat = true, verification = true, files = true }: { readonly [K in keyof typeof detailQuery]?: boolean | undefined }): CommitDetail => ({
  stats: stat,
  verification,
  files,
});

const everything: CommitDetail = { stats: true, verification: true, files: true };

/** Routes for commits, comparisons, notes, trees and blobs. */
export function commitRoutes(deps: CommitApiDeps): Route[] {
  const { urls } = deps;
  const place = (repository: RepositorySubject, detail: CommitDetail): CommitLocation => ({ urls, git: createGitUrls(repository, urls), detail });
  const show = async (viewing: Viewing, rev: string): Promise<Commit> =>
    presentCommit(await getCommit(deps, viewing, rev), place(viewing.repository, viewing.detail));
  return [
    defineRoute({
      id: "repoGetAllCommits",
      isExpensive: true,
      method: "GET",
      path: "/repos/{owner}/{repo}/commits",
      tag: "repository",
      summary: "List the commits of a branch, newest first",
      access: reader,
      scope: "repository",
      query: {
        sha: query.text("A branch, tag or commit to start at; the default branch if omitted"),
        path: query.text("Only commits that changed this file or directory"),
        since: query.time("Only commits after this time"),
        until: query.time("Only commits before this time"),
        ...detailQuery,
        not: query.text("Exclude the commits reachable from this branch, tag or commit"),
      },
      answers: list(Commit, "links", ["X-Page", "X-PerPage", "X-Total", "X-PageCount", "X-HasMore"]),
      refusals: { 404: "notFoundOrNull", 409: "conflict" },
      handle: async ({ actor, repository, query, page, signal }) => {
        const detail = readDetail(query);
        const filter = { rev: query.sha, path: query.path, notRev: query.not, sinceMs: query.since, untilMs: query.until };
        const { total, items } = await listCommits(deps, { actor, repository, detail, signal }, filter, page);
        const where = place(repository, detail);
        return {
          total,
          items: await mapInTurns(
            items,
            (view) => presentCommit(view, where),
            ({ commit }) => commit.parentOids.length,
          ),
        };
      },
    }),
    defineRoute({
      id: "repoGetCommitByRef",
      method: "GET",
      path: "/repos/{owner}/{repo}/commits/{ref+}",
      tag: "repository",
      summary: "Get the commit of a branch, tag or commit id",
      access: reader,
      scope: "repository",
      query: detailQuery,
      answers: json(200, Commit),
      refusals: { 422: "validationError" },
      handle: ({ actor, repository, params, query, signal }) => show({ actor, repository, detail: readDetail(query), signal }, params.ref),
    }),
    defineRoute({
      id: "repoGetSingleCommit",
      isExpensive: true,
      method: "GET",
      path: "/repos/{owner}/{repo}/git/commits/{sha+}",
      tag: "repository",
      summary: "Get a commit",
      access: reader,
      scope: "repository",
      query: detailQuery,
      answers: json(200, Commit),
      refusals: { 422: "validationError" },
      handle: ({ actor, repository, params, query, signal }) => show({ actor, repository, detail: readDetail(query), signal }, params.sha),
    }),
    defineRoute({
      id: "repoCompareDiff",
      isExpensive: true,
      method: "GET",
      path: "/repos/{owner}/{repo}/compare/{basehead+}",
      tag: "repository",
      summary: "Compare two branches, tags or commits",
      access: reader,
      scope: "repository",
      answers: json(200, Compare),
      handle: async ({ actor, repository, params, signal }) => {
        const compared = await compareCommits(deps, { actor, repository, detail: everything, signal }, params.basehead);
        return presentComparison(compared, { urls, git: createGitUrls(compared, urls), detail: everything });
      },
    }),
    defineRoute({
      id: "repoGetNote",
      method: "GET",
      path: "/repos/{owner}/{repo}/git/notes/{sha+}",
      tag: "repository",
      summary: "Get the git note of a commit",
      access: reader,
      scope: "repository",
      query: { verification: detailQuery.verification, files: detailQuery.files },
      answers: json(200, Note),
      refusals: { 422: "validationError" },
      handle: async ({ actor, repository, params, query, signal }) => {
        const detail = readDetail(query);
        return presentNote(await getNote(deps, { actor, repository, detail, signal }, params.sha), place(repository, detail));
      },
    }),
    ...textRoutes(deps),
    ...objectRoutes(deps),
  ];
}

/** The diff and the patch of a commit, in the API and as web pages. */
function textRoutes(deps: CommitApiDeps): Route[] {
  const answer = async (viewing: Omit<Viewing, "detail">, { sha, diffType }: { readonly sha: string; readonly diffType: string }): Promise<RawReply> => ({
    status: 200,
    headers: { "content-type": "text/plain;charset=utf-8", "x-content-type-options": "nosniff" },
    body: await streamCommitText(deps, viewing, sha, diffType === "patch" ? "patch" : "diff"),
  });
  return [
    defineRoute({
      id: "repoDownloadCommitDiffOrPatch",
      isExpensive: true,
      method: "GET",
      path: "/repos/{owner}/{repo}/git/commits/{sha+}.{diffType}",
      tag: "repository",
      summary: "Get the changes of a commit as a diff or patch",
      access: reader,
      scope: "repository",
      answers: raw(["text/plain"], 200, text()),
      refusals: { 422: "validationError" },
      handle: ({ actor, repository, params, signal }) => answer({ actor, repository, signal }, params),
    }),
    defineRoute({
      id: "webCommitText",
      isExpensive: true,
      method: "GET",
      mount: "root",
      path: "/{owner}/{repo}/commit/{sha+}.{diffType}",
      tag: "repository",
      summary: "Get the changes of a commit as a diff or patch",
      access: reader,
      scope: "repository",
      answers: raw(["text/plain"]),
      handle: ({ actor, repository, params, signal }) => answer({ actor, repository, signal }, params),
    }),
  ];
}

/** Git trees and blobs. */
function objectRoutes(deps: CommitApiDeps): Route[] {
  const { urls } = deps;
  return [
    defineRoute({
      id: "GetTree",
      method: "GET",
      path: "/repos/{owner}/{repo}/git/trees/{sha+}",
      tag: "repository",
      summary: "Get the tree of a directory, optionally recursively",
      access: reader,
      scope: "repository",
      query: {
        recursive: query.bool("List everything below the directory"),
        page: query.integer("page number, starting at 1"),
        per_page: query.integer("entries on a page"),
      },
      answers: envelope(GitTreeResponse, "own"),
      refusals: { 400: "error" },
      handle: async ({ repository, params, query, page }) => {
        const wanted = query.per_page ?? 0;
        const limit = wanted > 0 ? Math.min(wanted, treePageSize) : treePageSize;
        const tree = await getTree(deps, repository, { rev: params.sha, isRecursive: query.recursive ?? false, page: page.page, limit });
        return { total: tree.total, body: presentTree(tree, createGitUrls(repository, urls)) };
      },
    }),
    defineRoute({
      id: "GetBlob",
      method: "GET",
      path: "/repos/{owner}/{repo}/git/blobs/{sha+}",
      tag: "repository",
      summary: "Get a blob by its object id",
      access: reader,
      scope: "repository",
      answers: json(200, GitBlobResponse),
      refusals: { 400: "error" },
      handle: async ({ repository, params }) => presentBlob(await getBlob(deps, repository, params.sha), createGitUrls(repository, urls)),
    }),
  ];
}
