import type { Config } from "../../../config/config.ts";
import { malformed } from "../../../core/errors.ts";
import type { Page } from "../../../core/paging.ts";
import type { Urls } from "../../../core/urls.ts";
import { repository } from "../../../http/access.ts";
import { empty, envelope, json, list } from "../../../http/answers.ts";
import { query } from "../../../http/query.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { CreateWikiPageOptions, WikiCommitList, WikiPage, WikiPageMetaData } from "../../../wire/wiki.ts";
import { decodeBase64 } from "../contents/base64.ts";
import type { WikiPageInput } from "./model.ts";
import { presentPage, presentPageSummary, presentRevisions } from "./present.ts";
import { createPage, deletePage, editPage, type WikiChangeDeps } from "./service/change.ts";
import { getPage, listPages, listRevisions } from "./service/read.ts";

export type WikiApiDeps = WikiChangeDeps & { readonly urls: Urls; readonly config: Pick<Config, "limits"> };

const common = { tag: "repository", scope: "repository" } as const;
const reader = repository.reader("repo.wiki");
const writer = repository.writer("repo.wiki", { archived: "refused" });
const refusals = { 403: "forbidden", 404: "notFound", 423: "repoArchivedError" };

/** Allowance for the parts of a request body other than the page. */
const bodyMargin = 64 * 1024;

/** Routes for wiki pages. */
export function wikiRoutes(deps: WikiApiDeps): Route[] {
  const { urls } = deps;
  const bodyLimitBytes = Math.ceil((deps.config.repositories.max_file_bytes * 4) / 3) + bodyMargin;
  return [
    defineRoute({
      ...common,
      id: "repoGetWikiPages",
      method: "GET",
      path: "/repos/{owner}/{repo}/wiki/pages",
      summary: "List the wiki pages of a repository",
      access: reader,
      answers: list(WikiPageMetaData, "links"),
      refusals: { 404: "notFound" },
      handle: async ({ repository, page, signal }) => {
        const window = windowOf(page, deps.config.limits.page_default);
        const { total, items } = await listPages(deps, repository, window, signal);
        return { total, limit: window.limit, items: items.map((one) => presentPageSummary(one, { urls, repository })) };
      },
    }),
    defineRoute({
      ...common,
      id: "repoGetWikiPage",
      method: "GET",
      path: "/repos/{owner}/{repo}/wiki/page/{pageName}",
      summary: "Get a wiki page by its URL name or title",
      access: reader,
      answers: json(200, WikiPage),
      refusals: { 404: "notFound" },
      handle: async ({ repository, params, signal }) => presentPage(await getPage(deps, repository, params.pageName, signal), { urls, repository }),
    }),
    defineRoute({
      ...common,
      id: "repoGetWikiPageRevisions",
      method: "GET",
      path: "/repos/{owner}/{repo}/wiki/revisions/{pageName}",
      summary: "List the revisions of a wiki page, newest first",
      access: reader,
      // The page size is always the default one.
      query: { page: query.integer("which page, from 1") },
      answers: envelope(WikiCommitList, "own"),
      refusals: { 404: "notFound" },
      handle: async ({ repository, params, query: requested, signal }) => {
        const limit = deps.config.limits.page_default;
        const window = { offset: (Math.max(requested.page ?? 1, 1) - 1) * limit, limit };
        const { total, items } = await listRevisions(deps, repository, params.pageName, window, signal);
        return { total, body: presentRevisions(items, total) };
      },
    }),
    defineRoute({
      ...common,
      id: "repoCreateWikiPage",
      method: "POST",
      path: "/repos/{owner}/{repo}/wiki/new",
      summary: "Create a wiki page",
      access: writer,
      body: CreateWikiPageOptions,
      bodyLimitBytes,
      answers: json(201, WikiPage),
      refusals: { 400: "error", ...refusals },
      handle: async ({ actor, repository, body }) => presentPage(await createPage(deps, actor, repository, await readInput(body)), { urls, repository }),
    }),
    defineRoute({
      ...common,
      id: "repoEditWikiPage",
      method: "PATCH",
      path: "/repos/{owner}/{repo}/wiki/page/{pageName}",
      summary: "Edit a wiki page",
      access: writer,
      body: CreateWikiPageOptions,
      bodyLimitBytes,
      answers: json(200, WikiPage),
      refusals: { 400: "error", ...refusals },
      handle: async ({ actor, repository, params, body }) =>
        presentPage(await editPage(deps, actor, repository, params.pageName, await readInput(body)), { urls, repository }),
    }),
    defineRoute({
      ...common,
      id: "repoDeleteWikiPage",
      method: "DELETE",
      path: "/repos/{owner}/{repo}/wiki/page/{pageName}",
      summary: "Delete a wiki page",
      access: writer,
      answers: empty(),
      refusals,
      handle: ({ actor, repository, params }) => deletePage(deps, actor, repository, params.pageName),
    }),
  ];
}

/** @compat a limit of one is treated as the default page size (wiki/api.test.ts) */
const windowOf = ({ offset, limit }: Page, usual: number): Pick<Page, "offset" | "limit"> =>
  limit === 1 ? { offset: offset * usual, limit: usual } : { offset, limit };

const readInput = async (body: CreateWikiPageOptions): Promise<WikiPageInput> => ({
  title: body.title,
  content: await decodeBase64(body.content_base64, malformed),
  message: body.message,
});
