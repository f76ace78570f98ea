import { h } from "preact";
import { type Actor, isUser } from "../../access/actor.ts";
import type { Clock } from "../../core/clock.ts";
import type { Page } from "../../core/paging.ts";
import type { Urls } from "../../core/urls.ts";
import { account, anyone } from "../../http/access.ts";
import { type RawReply, raw } from "../../http/answers.ts";
import { pageReader } from "../../http/page-reader.ts";
import { query } from "../../http/query.ts";
import { defineRoute, type Route } from "../../http/route.ts";
import { renderPage } from "../../ui/page.ts";
import { textsFor } from "../../ui/texts/texts.ts";
import { avatarUrl } from "../users/present.ts";
import { getUser } from "../users/service/accounts.ts";
import { type RepositoryQuery, type SearchDeps, searchRepositories } from "./service/search.ts";
import { ExploreView, exploreSorts } from "./views/explore.ts";
import { HomeView } from "./views/home.ts";
import { ProfileView } from "./views/profile.ts";

export interface RepositoryPageDeps extends SearchDeps {
  readonly clock: Clock;
  readonly urls: Urls;
}

const page = { method: "GET", mount: "root", tag: "repository", isUnlisted: true, isPage: true, scope: "repository", answers: raw(["text/html"]) } as const;

const everything: RepositoryQuery = {
  text: "",
  searchesTopics: false,
  searchesDescriptions: true,
  isOwnedOnly: false,
  includesPrivate: true,
  mode: "",
  sort: "updated",
  order: "desc",
};

/** Where repositories are found: one's own, all of them, and those of somebody. */
export const repositoryPages = (deps: RepositoryPageDeps): Route[] => [
  defineRoute({
    ...page,
    id: "homePage",
    path: "/",
    summary: "The front page: one's own repositories, or all of them for visitors",
    access: anyone,
    handle: async (request) => {
      const { actor, page } = request;
      if (!isUser(actor)) return explorePage(deps, request, {});
      const { items, total } = await searchRepositories(deps, actor, { ...everything, accountId: actor.id }, page);
      const reader = pageReader(request);
      return renderPage({ ...reader, title: textsFor(reader.languages).home.title }, h(HomeView, { repositories: items, total, page, now: deps.clock.now() }));
    },
  }),
  defineRoute({
    ...page,
    id: "explorePage",
    path: "/explore/repos",
    summary: "Repositories to choose from",
    access: anyone,
    query: { q: query.text("Words of the name or the description"), sort: query.text("What the list is sorted by") },
    handle: (request) => explorePage(deps, request, request.query),
  }),
  defineRoute({
    ...page,
    id: "profilePage",
    path: "/{username}",
    summary: "Somebody, or an organization, and their repositories",
    access: account.visible,
    handle: async (request) => {
      const { actor, account } = request;
      const view = await getUser(deps, account.id);
      const { items, total } = await searchRepositories(deps, actor, { ...everything, accountId: account.id, isOwnedOnly: true }, request.page);
      const facts = { account: view, avatarUrl: avatarUrl(view, deps.urls), repositories: items, total, page: request.page, now: deps.clock.now() };
      return renderPage({ ...pageReader(request), title: view.fullName || view.name, heading: null }, h(ProfileView, facts));
    },
  }),
];

interface ExploreRequest {
  readonly actor: Actor;
  readonly session: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly page: Page;
}

async function explorePage(
  deps: RepositoryPageDeps,
  request: ExploreRequest,
  { q: text = "", sort: wanted }: { readonly q?: string | undefined; readonly sort?: string | undefined },
): Promise<RawReply> {
  const sort = exploreSorts.find((one) => one === wanted) ?? exploreSorts[0];
  const { items, total } = await searchRepositories(deps, request.actor, { ...everything, text, sort, order: sort === "alpha" ? "asc" : "desc" }, request.page);
  const reader = pageReader(request);
  const facts = { repositories: items, total, text, sort, page: request.page, now: deps.clock.now() };
  return renderPage({ ...reader, title: textsFor(reader.languages).explore.title }, h(ExploreView, facts));
}
