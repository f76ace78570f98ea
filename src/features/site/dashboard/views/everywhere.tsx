import type { Page } from "../../../../core/paging.ts";
import { withQuery } from "../../../../ui/addresses.ts";
import { Empty, Pager } from "../../../../ui/blocks.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import type { IssueView } from "../../../collaboration/issues/model.ts";
import { type TypedQuery, withOrder, withState } from "../../../collaboration/issues/search/query-language.ts";
import { type FilterChoices, FilterMenus, Orders } from "../../../collaboration/issues/search/views/filter-menus.tsx";
import { IssueRows } from "../../../collaboration/issues/search/views/issue-rows.tsx";
import { QueryField, SearchNotes, States, type StatesProps } from "../../../collaboration/issues/search/views/list.tsx";
import type { TaskProgress } from "../../../collaboration/issues/tasks/service/progress.ts";
import { issueTexts } from "../../../collaboration/issues/texts/texts.ts";
import { SearchMenu, type SearchMenuProps } from "../../../collaboration/saved-searches/views/menu.tsx";
import type { ListedKind } from "../model.ts";
import { dashboardTexts } from "../texts/texts.ts";

export interface EverywhereProps {
  readonly kind: ListedKind;
  readonly typed: string;
  readonly issues: readonly IssueView[];
  readonly progress: TaskProgress;
  readonly total: number;
  readonly states: StatesProps["states"];
  readonly query: TypedQuery;
  readonly unknown: readonly string[];
  readonly comparedOnly: number | undefined;
  readonly filters: FilterChoices;
  readonly saved: SearchMenuProps;
  readonly page: Page;
  readonly now: number;
}

const searches = {
  assigned: "is:open assignee:@me",
  created: "is:open author:@me",
  mentioned: "is:open mentions:@me",
  requested: "is:open review-requested:@me",
  reviewed: "is:open reviewed-by:@me",
} as const;

const viewsOf = {
  issues: ["assigned", "created", "mentioned"],
  pulls: ["created", "requested", "assigned", "reviewed", "mentioned"],
} as const satisfies Readonly<Record<ListedKind, readonly (keyof typeof searches)[]>>;

/** The initial search. */
export const usualSearch: Readonly<Record<ListedKind, string>> = { issues: searches.assigned, pulls: searches.created };

/** Issues or pull requests of all repositories. */
export function EverywhereView({
  kind,
  typed,
  query,
  unknown,
  comparedOnly,
  states,
  issues,
  progress,
  total,
  filters,
  saved,
  page,
  now,
}: EverywhereProps): Html {
  const texts = useTexts(dashboardTexts);
  const words = useTexts(issueTexts);
  const path = `/${kind}`;
  const link = (q: string, text: string, isCurrent: boolean): Html => (
    <a href={withQuery(path, { q })} {...(isCurrent && { "aria-current": "page" })}>
      {text}
    </a>
  );
  const find = kind === "issues" ? texts.findIssues : texts.findPulls;
  const { state, order } = query;
  return (
    <>
      <div class="bar">
        <nav class="switch" aria-label={texts.viewsOf}>
          {viewsOf[kind].map((view) => link(searches[view], texts.views[view], withOrder(withState(typed, "open"), "newest") === searches[view]))}
        </nav>
        <span class="end">
          <SearchMenu {...saved} />
        </span>
      </div>
      <form class="find" action={path} role="search">
        <QueryField typed={typed} label={find} />
        <button type="submit">
          <Icon name="search" label={words.findButton} />
        </button>
      </form>
      <SearchNotes path={path} typed={typed} query={query} unknown={unknown} comparedOnly={comparedOnly} />
      <section class="box">
        <header class="list-header">
          <States path={path} typed={typed} state={state} states={states} />
          <span class="end filters">
            <FilterMenus path={path} typed={typed} choices={filters} />
            <Orders order={order} pathOf={(one) => withQuery(path, { q: withOrder(typed, one) })} />
          </span>
        </header>
        {total === 0 ? <Nothing kind={kind} typed={typed} /> : <IssueRows issues={issues} progress={progress} now={now} showsRepository />}
      </section>
      <Pager path={path} query={{ q: typed }} page={page} total={total} />
    </>
  );
}

/** Explains an empty result and suggests other searches. */
function Nothing({ kind, typed }: Pick<EverywhereProps, "kind" | "typed">): Html {
  const texts = useTexts(dashboardTexts);
  const issues = useTexts(issueTexts);
  const view = viewsOf[kind].find((one) => searches[one] === withOrder(typed, "newest"));
  return (
    <Empty icon={kind === "issues" ? "issue-opened" : "git-pull-request"} title={view === undefined ? issues.nothingFound : texts.noneOf[view]}>
      <p>
        <a href={withQuery(`/${kind}`, { q: "is:all" })}>{kind === "issues" ? texts.lookAtAllIssues : texts.lookAtAllPulls}</a>
      </p>
    </Empty>
  );
}
