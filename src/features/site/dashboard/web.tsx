import { isUser, type UserActor } from "../../../access/actor.ts";
import type { Clock } from "../../../core/clock.ts";
import { anyone, organization, signedIn } from "../../../http/access.ts";
import { raw } from "../../../http/answers.ts";
import { seeOther } from "../../../http/form-submit.ts";
import { type PageRequest, pageReader } from "../../../http/page-reader.ts";
import { query } from "../../../http/query.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { type RenderedPage, renderPage } from "../../../ui/page.tsx";
import { sharedTexts } from "../../../ui/texts/shared.ts";
import { textsFor } from "../../../ui/texts/texts.ts";
import { redirectOf } from "../../collaboration/issues/search/views/list-address.ts";
import { loadTaskProgress } from "../../collaboration/issues/tasks/service/progress.ts";
import { listSearches } from "../../collaboration/saved-searches/service.ts";
import type { DashboardView, ListedKind } from "./model.ts";
import { type DashboardDeps, findEverywhere, loadDashboard, loadOrganizationDashboard } from "./service/dashboard.ts";
import { findChosenPlaces, loadFilterChoices } from "./service/filter-choices.ts";
import { dashboardTexts } from "./texts/texts.ts";
import { ContextMenu, DashboardPage } from "./views/dashboard.tsx";
import { EverywhereView, usualSearch } from "./views/everywhere.tsx";

export interface DashboardPageDeps extends DashboardDeps {
  readonly clock: Clock;
  /** The front page for visitors. */
  readonly welcome: (request: VisitorRequest) => Promise<RenderedPage>;
}

type VisitorRequest = PageRequest & { readonly page: { readonly page: number; readonly limit: number; readonly offset: number } };

const page = { method: "GET", mount: "root", isUnlisted: true, isPage: true, answers: raw(["text/html"]) } as const;

/** The dashboard and the search across repositories. */
export const dashboardPages = (deps: DashboardPageDeps): Route[] => [
  defineRoute({
    ...page,
    id: "homePage",
    path: "/",
    tag: "miscellaneous",
    summary: "The front page: the dashboard of a signed-in user, or the visitors' page",
    access: anyone,
    scope: ["repository", "issue"],
    handle: async (request) => {
      const { actor } = request;
      if (!isUser(actor)) return deps.welcome(request);
      return dashboardPage(deps, request, actor, await loadDashboard(deps, actor));
    },
  }),
  defineRoute({
    ...page,
    id: "organizationDashboard",
    path: "/org/{org}/dashboard",
    tag: "organization",
    summary: "The dashboard of the caller, limited to the repositories of an organization",
    access: organization.member,
    scope: ["repository", "issue"],
    handle: async (request) => {
      const { actor, organization } = request;
      return dashboardPage(deps, request, actor, await loadOrganizationDashboard(deps, actor, organization));
    },
  }),
  ...(["issues", "pulls"] as const).map((kind) => everywherePage(deps, kind)),
];

function dashboardPage(deps: DashboardPageDeps, request: PageRequest, { name }: UserActor, view: DashboardView): RenderedPage {
  const reader = pageReader(request);
  const { title } = textsFor(dashboardTexts, reader.languages);
  const beside = view.organizations.total > 0 && <ContextMenu name={name} {...view} />;
  return renderPage(
    { ...reader, title: view.organization === undefined ? title : `${title} - ${view.organization}`, heading: title, ...(beside && { beside }) },
    <DashboardPage {...view} name={name} now={deps.clock.now()} />,
  );
}

const everywherePage = (deps: DashboardPageDeps, kind: ListedKind): Route =>
  defineRoute({
    ...page,
    id: kind === "issues" ? "allIssuesPage" : "allPullsPage",
    path: `/${kind}`,
    tag: "issue",
    summary: "Issues or pull requests of all repositories that match a search",
    access: signedIn,
    scope: "issue",
    query: {
      q: query.text("Words and qualifiers such as `is:open label:bug author:@me`"),
      label: query.text("Adds a label to the query, or removes it"),
      author: query.text("Replaces the author in the query"),
      assignee: query.text("Replaces the assignee in the query"),
      milestone: query.text("Replaces the milestone in the query"),
      repo: query.text("Replaces the repository in the query"),
    },
    handle: async (request) => {
      const elsewhere = redirectOf("", kind, { ...request.query, q: request.query.q ?? usualSearch[kind] });
      if (elsewhere !== undefined) return seeOther(elsewhere);
      const typed = request.query.q ?? usualSearch[kind];
      const near = { ...deps, db: deps.db.together() };
      const [found, places, searches] = await Promise.all([
        findEverywhere(near, request.actor, kind, typed, request.page),
        findChosenPlaces(near, request.actor, kind),
        listSearches(near, request.actor),
      ]);
      const [filters, progress] = await Promise.all([loadFilterChoices(near, request.actor, places, found.items), loadTaskProgress(near.db, found.items)]);
      const reader = pageReader(request);
      const saved = { kind, typed, searches, formToken: reader.viewer?.formToken };
      const props = { ...found, filters, saved, kind, typed, issues: found.items, progress, page: request.page, now: deps.clock.now() };
      return renderPage({ ...reader, title: textsFor(sharedTexts, reader.languages).site[kind] }, <EverywhereView {...props} />);
    },
  });
