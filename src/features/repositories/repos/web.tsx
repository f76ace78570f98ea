import type { Actor } from "../../../access/actor.ts";
import type { Clock } from "../../../core/clock.ts";
import type { Page } from "../../../core/paging.ts";
import { anyone } from "../../../http/access.ts";
import { raw } from "../../../http/answers.ts";
import { pageReader } from "../../../http/page-reader.ts";
import { query } from "../../../http/query.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { type RenderedPage, renderPage } from "../../../ui/page.tsx";
import { textsFor } from "../../../ui/texts/texts.ts";
import { type RepositoryQuery, type SearchDeps, searchRepositories } from "./service/search.ts";
import { exploreTexts } from "./texts/texts.ts";
import { type ExploreKind, ExploreView, exploreKinds, exploreSorts } from "./views/explore.tsx";

export interface RepositoryPageDeps extends SearchDeps {
  readonly clock: Clock;
}

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

const kinds: Readonly<Record<ExploreKind, Partial<RepositoryQuery>>> = {
  source: { mode: "source" },
  fork: { mode: "fork" },
  mirror: { mode: "mirror" },
  template: { isTemplate: true },
  archived: { isArchived: true },
};

/** The page for exploring repositories. */
export const repositoryPages = (deps: RepositoryPageDeps): Route[] => [
  defineRoute({
    method: "GET",
    mount: "root",
    tag: "repository",
    isUnlisted: true,
    isPage: true,
    scope: "repository",
    answers: raw(["text/html"]),
    id: "explorePage",
    path: "/explore/repos",
    summary: "Explore repositories",
    access: anyone,
    query: {
      q: query.text("Words in the name or description"),
      topic: query.text("Treat `q` as a topic"),
      kind: query.text("Only repositories of this kind"),
      sort: query.text("The sort order"),
    },
    handle: (request) => explorePage(deps, request, request.query),
  }),
];

interface ExploreRequest {
  readonly actor: Actor;
  readonly session: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly page: Page;
}

/** All repositories that the caller can read; also the home page of visitors. */
export async function explorePage(
  deps: RepositoryPageDeps,
  request: ExploreRequest,
  input: { readonly q?: string | undefined; readonly topic?: string | undefined; readonly kind?: string | undefined; readonly sort?: string | undefined },
): Promise<RenderedPage> {
  const { q: text = "" } = input;
  const sort = exploreSorts.find((one) => one === input.sort) ?? exploreSorts[0];
  const isTopic = input.topic !== undefined && input.topic !== "";
  const kind = exploreKinds.find((one) => one === input.kind);
  const searched = { ...everything, ...(kind !== undefined && kinds[kind]), text, searchesTopics: isTopic, sort, order: sort === "alpha" ? "asc" : "desc" };
  const { items, total } = await searchRepositories(deps, request.actor, searched, request.page);
  const reader = pageReader(request);
  const props = { repositories: items, total, text, isTopic, sort, kind, page: request.page, now: deps.clock.now(), canCreate: reader.viewer !== undefined };
  return renderPage({ ...reader, title: textsFor(exploreTexts, reader.languages).title }, <ExploreView {...props} />);
}
