import { notFound } from "../../../../core/errors.ts";
import { repository } from "../../../../http/access.ts";
import { list, type RawReply, raw } from "../../../../http/answers.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { Commit } from "../../../../wire/commit.ts";
import { ChangedFile } from "../../../../wire/pull-request.ts";
import { text } from "../../../../wire/schema.ts";
import { presentCommit } from "../../../repositories/commits/present.ts";
import { createGitUrls } from "../../../repositories/repos/git-urls.ts";
import { presentChangedFile } from "../present.ts";
import { listPullCommits, listPullFiles, streamPullText } from "../service/changes.ts";
import type { PullViewing } from "../service/deps.ts";
import type { PullApiDeps } from "./pulls.ts";

const pageHeaders = ["X-Page", "X-PerPage", "X-PageCount", "X-HasMore"] as const;
const whitespaces = ["ignore-all", "ignore-change", "ignore-eol", "show-all"] as const;

/** Commits, files and diffs of pull requests. */
export function pullChangeRoutes(deps: PullApiDeps): Route[] {
  const { urls } = deps;
  /** The index and the format share one path segment. */
  const answer = async (viewing: PullViewing, index: string, diffType: string, binary: boolean): Promise<RawReply> => {
    if (diffType !== "diff" && diffType !== "patch") throw notFound();
    return {
      status: 200,
      headers: { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" },
      body: await streamPullText(deps, viewing, index, { form: diffType, binary }),
    };
  };
  return [
    defineRoute({
      id: "repoGetPullRequestCommits",
      isExpensive: true,
      method: "GET",
      path: "/repos/{owner}/{repo}/pulls/{index}/commits",
      tag: "repository",
      summary: "List the commits of a pull request, newest first",
      access: repository.visible,
      scope: "repository",
      query: {
        verification: query.bool("Include the signature verification; defaults to true"),
        files: query.bool("Include the changed files; defaults to true"),
      },
      answers: list(Commit, "links", pageHeaders),
      refusals: { 404: "notFound" },
      handle: async ({ actor, repository, params, query, page, signal }) => {
        const detail = { stats: true, verification: query.verification ?? true, files: query.files ?? true };
        const { items, total } = await listPullCommits(deps, { actor, repository, detail, signal }, params.index, page);
        const place = { urls, git: createGitUrls(repository, urls), detail };
        return { items: items.map((view) => presentCommit(view, place)), total };
      },
    }),
    defineRoute({
      id: "repoGetPullRequestFiles",
      isExpensive: true,
      method: "GET",
      path: "/repos/{owner}/{repo}/pulls/{index}/files",
      tag: "repository",
      summary: "List the files that a pull request changes",
      access: repository.visible,
      scope: "repository",
      query: {
        "skip-to": query.text("The file that the first page starts with"),
        whitespace: query.text("How to compare white space; all differences count by default", whitespaces),
      },
      answers: list(ChangedFile, "links", pageHeaders),
      refusals: { 404: "notFound" },
      handle: async ({ actor, repository, params, query, page, signal }) => {
        const whitespace = whitespaces.find((name) => name === query.whitespace) ?? "show-all";
        const input = { whitespace, skipTo: query["skip-to"] ?? "" };
        const { items, total, headOid } = await listPullFiles(deps, { actor, repository, signal }, params.index, input, page);
        const { ownerName, name } = repository;
        return { items: items.map((file) => presentChangedFile(file, { ownerName, name, headOid }, urls)), total };
      },
    }),
    defineRoute({
      id: "repoDownloadPullDiffOrPatch",
      isExpensive: true,
      method: "GET",
      path: "/repos/{owner}/{repo}/pulls/{index}.{diffType}",
      tag: "repository",
      summary: "Get the changes of a pull request as a diff or patch",
      access: repository.visible,
      scope: "repository",
      query: { binary: query.bool("Include binary changes in a form that can be applied") },
      answers: raw(["text/plain"], 200, text()),
      refusals: { 404: "notFound" },
      handle: ({ actor, repository, params, query, signal }) => answer({ actor, repository, signal }, params.index, params.diffType, query.binary ?? false),
    }),
    defineRoute({
      id: "webPullText",
      isExpensive: true,
      method: "GET",
      mount: "root",
      path: "/{owner}/{repo}/pulls/{index}.{diffType}",
      tag: "repository",
      summary: "Get the changes of a pull request as a diff or patch",
      access: repository.visible,
      scope: "repository",
      answers: raw(["text/plain"]),
      handle: ({ actor, repository, params, signal }) => answer({ actor, repository, signal }, params.index, params.diffType, false),
    }),
  ];
}
