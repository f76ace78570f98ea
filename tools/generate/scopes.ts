import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scopeCategories } from "../../src/access/scopes.ts";
import { createForge } from "../../src/app/forge.ts";
import { loadConfig } from "../../src/config/config.ts";
import type { Route } from "../../src/http/route.ts";

/** One row of docs/scopes.md. */
export interface ScopeRow {
  readonly method: string;
  /** Path from the root of the server. */
  readonly path: string;
  /** All of these are required, such as `read:user`. */
  readonly needs: readonly string[];
  readonly refusesPublicOnly: boolean;
  /** Rejects tokens that are limited to repositories. */
  readonly refusesLimited: boolean;
}

/** Routes for git clients, which have their own error format and check scopes themselves, as the page explains. */
export const isGitRoute = ({ id }: Pick<Route, "id">): boolean => /^(git(InfoRefs|Head|InfoPacks|UploadPack|ReceivePack)|lfs[A-Z]\w+)$/.test(id);

const categoriesOf = (route: Route) => (route.scope === "none" ? [] : [route.scope].flat());

function rowOf(route: Route): ScopeRow {
  const categories = categoriesOf(route);
  const changesBeyond =
    route.access.kind !== "repository" && (route.scopeLevel === "write" || route.access.kind === "site-admin" || categories.includes("admin"));
  return {
    method: route.method,
    path: (route.mount === "api" ? "/api/v1" : "") + route.path,
    needs: categories.map((category) => `${route.scopeLevel}:${category}`),
    refusesPublicOnly: route.refusesPublicOnly,
    refusesLimited: categories.length > 0 && changesBeyond,
  };
}

/** The routes in the order of the page: by category, then as declared. */
function sections(routes: readonly Route[]): readonly { readonly title: string; readonly rows: readonly ScopeRow[] }[] {
  const listed = routes.filter((route) => !isGitRoute(route));
  const groups = Map.groupBy(listed, (route) => categoriesOf(route).join(" and ") || "none");
  const rank = (title: string): readonly [number, number] => {
    const names = title.split(" and ");
    return [names.length, title === "none" ? -1 : (scopeCategories as readonly string[]).indexOf(names[0] ?? "")];
  };
  const byRank = (a: string, b: string): number => rank(a)[0] - rank(b)[0] || rank(a)[1] - rank(b)[1] || a.localeCompare(b);
  return [...groups.keys()].sort(byRank).map((title) => ({ title, rows: (groups.get(title) ?? []).map(rowOf) }));
}

const intro = `# Scopes of access tokens

This page lists the scopes that each request needs, for authors of API clients. \`write\` includes \`read\`, and \`all\` includes all scopes. A password has no scopes: it allows everything that the account may do. A token has the same rights in
every form: \`Authorization: token\` or \`Bearer\`, Basic authentication with the token as password or user name, \`?token=\` and \`?access_token=\`.

- A request with a token that lacks a scope gets 403, before any data is read.
- With the scope \`public-only\`, private resources do not exist for the token. Requests about the caller's own private data get 403 ("refused" in the column "Public-only").
- For a token that is limited to repositories, other repositories do not exist. Requests that would change other data or administer the server get 403 ("refused" in the column "Limited to repositories").
- Git over HTTP and git LFS need \`read:repository\` to fetch and \`write:repository\` to push. Without \`read:repository\`, git can fetch public repositories only.

\`npm run generate\` generates this page from the declared routes. A test sends every request with every kind of token in every form and compares the responses with this page.`;

const rowText = ({ method, path, needs, refusesPublicOnly, refusesLimited }: ScopeRow): string =>
  `| \`${method} ${path}\` | ${needs.join(", ")} | ${refusesPublicOnly ? "refused" : ""} | ${refusesLimited ? "refused" : ""} |`;

export function scopesPage(routes: readonly Route[]): string {
  const tables = sections(routes).map(({ title, rows }) =>
    [
      `## ${title === "none" ? "No scope" : title}`,
      "",
      "| Request | Scopes | Public-only | Limited to repositories |",
      "|---|---|---|---|",
      ...rows.map(rowText),
    ].join("\n"),
  );
  return `${[intro, ...tables].join("\n\n")}\n`;
}

/** Parses the rows of the page. */
export function readScopeRows(page: string): readonly ScopeRow[] {
  return [...page.matchAll(/^\| `(\w+) (\S+)` \| (.*) \| (\w*) \| (\w*) \|$/gm)].map(
    ([, method = "", path = "", needs = "", publicOnly = "", limited = ""]) => ({
      method,
      path,
      needs: needs === "" ? [] : needs.split(", "),
      refusesPublicOnly: publicOnly === "refused",
      refusesLimited: limited === "refused",
    }),
  );
}

/** Reads the routes of a complete forge on an empty folder. */
export async function makeScopes(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "hearth-scopes-"));
  try {
    await using forge = await createForge(loadConfig({ PATH: process.env.PATH ?? "", HEARTH_DATA: folder, HEARTH_LOG_LEVEL: "silent" }));
    return scopesPage(forge.routes);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
