import { malformed } from "../../../../core/errors.ts";
import type { PageLimits } from "../../../../core/paging.ts";
import type { Urls } from "../../../../core/urls.ts";
import { repository } from "../../../../http/access.ts";
import { envelope, list, objectOrPage } from "../../../../http/answers.ts";
import { decodeBody } from "../../../../http/decode-body.ts";
import { query, required } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { ContentsExtResponse, ContentsResponse } from "../../../../wire/contents.ts";
import { GetFilesOptions } from "../../../../wire/contents-options.ts";
import { list as listOf, nullable } from "../../../../wire/schema.ts";
import type { ContentsView, EntryDetail } from "../model.ts";
import { presentContents, presentExtended, presentFiles } from "../present.ts";
import { type ReadDeps, readContents, readFiles } from "../service/read.ts";

export type ContentsApiDeps = ReadDeps & { readonly urls: Urls };

const reader = repository.reader("repo.code");
const ref = query.text("a branch, tag or commit; the default branch if omitted");
const everything: EntryDetail = { content: true, lfs: true, lastCommit: true };
/** Almost every directory fits on the first page, which is complete as in Gitea. */
const pageLimits: PageLimits = { default: 10_000, max: 10_000 };

/** Routes that read files and directories. */
export function contentsRoutes(deps: ContentsApiDeps): Route[] {
  const { urls } = deps;
  return [
    defineRoute({
      id: "repoGetContentsList",
      method: "GET",
      path: "/repos/{owner}/{repo}/contents",
      tag: "repository",
      summary: "List the entries of the root directory",
      access: reader,
      scope: "repository",
      query: { ref },
      pageLimits,
      answers: list(ContentsResponse, "links"),
      refusals: { 404: "notFound" },
      handle: async ({ repository, query, page, signal }) => {
        const view = await readContents(deps, repository, { path: "", rev: query.ref ?? "", page, detail: everything, signal });
        const { dir_contents: items = [] } = await presentExtended(view, { repository, urls, shows: { message: false } });
        return { items, total: totalOf(view) ?? 0 };
      },
    }),
    defineRoute({
      id: "repoGetContents",
      method: "GET",
      path: "/repos/{owner}/{repo}/contents/{filepath+}",
      tag: "repository",
      summary: "Get the contents of a file or directory",
      access: reader,
      scope: "repository",
      query: { ref, branch: query.text("alias of ref; ref takes precedence") },
      pageLimits,
      // @compat an object for a file and a list for a directory (contents/read.test.ts)
      answers: objectOrPage(ContentsResponse, listOf(ContentsResponse)),
      refusals: { 404: "notFound" },
      handle: async ({ repository, params, query, page, signal }) => {
        const rev = query.ref || query.branch || "";
        const view = await readContents(deps, repository, { path: params.filepath, rev, page, detail: everything, signal });
        return { body: await presentContents(view, repository, urls), total: totalOf(view) };
      },
    }),
    defineRoute({
      id: "repoGetContentsExt",
      method: "GET",
      path: "/repos/{owner}/{repo}/contents-ext/{filepath*}",
      aliases: ["/repos/{owner}/{repo}/contents-ext"],
      tag: "repository",
      summary: "Get a file or directory with the requested metadata",
      access: reader,
      scope: "repository",
      query: { ref, includes: query.text("comma-separated details to include: file_content, lfs_metadata, commit_metadata, commit_message") },
      pageLimits,
      answers: envelope(ContentsExtResponse, "links"),
      refusals: { 404: "notFound" },
      handle: async ({ repository, params, query, page, signal }) => {
        const includes = (query.includes ?? "").split(",");
        const shows = { message: includes.includes("commit_message") };
        const detail = {
          content: includes.includes("file_content"),
          lfs: includes.includes("lfs_metadata"),
          lastCommit: shows.message || includes.includes("commit_metadata"),
        };
        // The alias route without a path has no such parameter.
        const path = params.filepath ?? "";
        const view = await readContents(deps, repository, { path, rev: query.ref ?? "", page, detail, signal });
        return { body: await presentExtended(view, { repository, urls, shows }), total: totalOf(view) };
      },
    }),
    ...filesRoutes(deps),
  ];
}

/** Number of entries of a directory; undefined for a file. */
const totalOf = ({ found }: ContentsView): number | undefined => ("file" in found ? undefined : found.total);

function filesRoutes(deps: ContentsApiDeps): Route[] {
  const answers = list(nullable(ContentsResponse), "none");
  const answer = async (repository: Parameters<typeof readFiles>[1], requested: { paths: readonly string[]; rev: string; signal: AbortSignal }) => {
    const items = presentFiles(await readFiles(deps, repository, requested), repository, deps.urls);
    return { items, total: items.length };
  };
  return [
    defineRoute({
      id: "repoGetFileContents",
      method: "GET",
      path: "/repos/{owner}/{repo}/file-contents",
      tag: "repository",
      summary: "Get the contents of several files named in the query",
      access: reader,
      scope: "repository",
      query: { ref, body: required(query.text('JSON: {"files": [paths]}')) },
      answers,
      refusals: { 400: "error", 404: "notFound" },
      handle: ({ repository, query, signal }) => answer(repository, { paths: readPaths(query.body ?? ""), rev: query.ref ?? "", signal }),
    }),
    defineRoute({
      id: "repoGetFileContentsPost",
      method: "POST",
      path: "/repos/{owner}/{repo}/file-contents",
      tag: "repository",
      summary: "Get the contents of several files",
      access: reader,
      scope: "repository",
      query: { ref },
      body: GetFilesOptions,
      answers,
      refusals: { 400: "error", 404: "notFound" },
      handle: ({ repository, query, body, signal }) => answer(repository, { paths: body.files ?? [], rev: query.ref ?? "", signal }),
    }),
  ];
}

/** @throws ForgeError `malformed` */
function readPaths(text: string): readonly string[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw malformed("invalid body parameter", { cause: error });
  }
  if (typeof value !== "object" || value === null) throw malformed("invalid body parameter");
  const { files } = decodeBody(GetFilesOptions, value as Record<string, unknown>, false) as GetFilesOptions;
  return files ?? [];
}
