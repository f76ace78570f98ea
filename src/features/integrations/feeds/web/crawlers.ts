import { anonymous } from "../../../../access/actor.ts";
import { notFound } from "../../../../core/errors.ts";
import { formatTime } from "../../../../core/time.ts";
import type { Urls } from "../../../../core/urls.ts";
import { raw } from "../../../../http/answers.ts";
import { openDocument } from "../../../../http/page-route.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { accountPath, repositoryPath } from "../../../../ui/addresses.ts";
import { type SearchDeps, searchRepositories } from "../../../repositories/repos/service/search.ts";
import { xmlText } from "../xml.ts";

export interface CrawlerPageDeps extends SearchDeps {
  readonly urls: Urls;
  /** Visitors see nothing before sign-in. */
  readonly signInRequired: boolean;
}

/** Expensive pages whose content is available elsewhere: commits, blame, archives, comparisons. */
const costly = [
  "/api/",
  "/user/",
  "/explore/",
  "/*/*/archive/",
  "/*/*/blame/",
  "/*/*/commits/",
  "/*/*/compare/",
  "/*/*/src/commit/",
  "/*/*/raw/",
  "/*/*/media/",
  "/*?*",
];

/** Maximum number of repositories per sitemap part. */
const partSize = 500;

/** `robots.txt` and the sitemap, for search engines. */
export const crawlerRoutes = (deps: CrawlerPageDeps): Route[] => [
  defineRoute({
    ...openDocument,
    id: "robots",
    path: "/robots.txt",
    summary: "The robots.txt with paths that crawlers should skip",
    answers: raw(["text/plain"]),
    handle: () => {
      const rules = deps.signInRequired
        ? ["Disallow: /"]
        : [...costly.map((path) => `Disallow: ${path}`), "Allow: /sitemap.xml?", `Sitemap: ${deps.urls.origin}/sitemap.xml`];
      const headers = { "content-type": "text/plain; charset=utf-8", "cache-control": "public, max-age=86400", "x-content-type-options": "nosniff" };
      return { status: 200, headers, body: ["User-agent: *", ...rules, ""].join("\n") };
    },
  }),
  defineRoute({
    ...openDocument,
    id: "sitemap",
    path: "/sitemap.xml",
    summary: "The sitemap of public repositories and their owners, split into parts if there are many",
    query: { part: query.integer("Number of the part; without it, the index of the parts") },
    answers: raw(["application/xml"]),
    handle: async ({ query: { part } }) => {
      if (deps.signInRequired) throw notFound();
      const number = part ?? 1;
      const { items, total } = await searchRepositories(deps, anonymous, everythingPublic, { page: number, limit: partSize, offset: (number - 1) * partSize });
      if (part !== undefined && (part < 1 || items.length === 0)) throw notFound();
      const { origin } = deps.urls;
      const parts = Math.ceil(total / partSize);
      if (part === undefined && parts > 1) {
        const list = Array.from({ length: parts }, (_, at) => `<sitemap><loc>${xmlText(`${origin}/sitemap.xml?part=${at + 1}`)}</loc></sitemap>\n`);
        return xml(`<sitemapindex xmlns="${namespace}">\n${list.join("")}</sitemapindex>\n`);
      }
      const owners = [...new Set(items.map(({ owner }) => owner.name))].map((name) => ({ path: accountPath(name), updatedMs: undefined }));
      const repositories = items.map(({ owner, name, updatedMs }) => ({ path: repositoryPath({ ownerName: owner.name, name }), updatedMs }));
      const addresses = [...owners, ...repositories].map(
        ({ path, updatedMs }) =>
          `<url><loc>${xmlText(origin + path)}</loc>${updatedMs === undefined ? "" : `<lastmod>${formatTime(updatedMs)}</lastmod>`}</url>\n`,
      );
      return xml(`<urlset xmlns="${namespace}">\n${addresses.join("")}</urlset>\n`);
    },
  }),
];

const namespace = "http://www.sitemaps.org/schemas/sitemap/0.9";
const everythingPublic = {
  text: "",
  searchesTopics: false,
  searchesDescriptions: false,
  isOwnedOnly: false,
  includesPrivate: false,
  mode: "",
  sort: "id",
  order: "asc",
};

const xml = (body: string) => ({
  status: 200,
  headers: { "content-type": "application/xml; charset=utf-8", "cache-control": "public, max-age=3600", "x-content-type-options": "nosniff" },
  body: `<?xml version="1.0" encoding="UTF-8"?>\n${body}`,
});
