import type { Page } from "../../../../../core/paging.ts";
import { comparePath, issuePath, pullPath, type RepositoryName, repositoryPath, withQuery } from "../../../../../ui/addresses.ts";
import { Empty, Pager } from "../../../../../ui/blocks.tsx";
import type { Html } from "../../../../../ui/html.ts";
import { Icon } from "../../../../../ui/icons.tsx";
import { draggedAttributes } from "../../../../../ui/rows.tsx";
import { useTexts } from "../../../../../ui/texts/texts.ts";
import { Ago } from "../../../../../ui/time.tsx";
import { milestoneTexts } from "../../../milestones/texts/texts.ts";
import type { IssueView } from "../../model.ts";
import type { ListedKind } from "../../planning/sidebar-props.ts";
import { BulkForm, type BulkProps } from "../../planning/views/bulk.tsx";
import { Act, changePath, type PlannedProps } from "../../planning/views/plan-forms.tsx";
import type { TaskProgress } from "../../tasks/service/progress.ts";
import { issueTexts, planningTexts } from "../../texts/texts.ts";
import { StateIcon } from "../../views/state.tsx";
import { type TypedQuery, withOrder, withState } from "../query-language.ts";
import { type FilterChoices, FilterMenus, Orders } from "./filter-menus.tsx";
import { IssueRows } from "./issue-rows.tsx";

export interface IssueListProps {
  readonly kind: ListedKind;
  readonly repository: RepositoryName;
  readonly issues: readonly IssueView[];
  readonly progress: TaskProgress;
  readonly total: number;
  readonly states: StatesProps["states"];
  /** Set if only so many of the newest issues were compared with the query. */
  readonly comparedOnly: number | undefined;
  readonly filters: FilterChoices;
  /** For an empty list: whether there are closed issues. */
  readonly hasClosed?: boolean;
  /** Parts of the query that name something that does not exist. */
  readonly unknown: readonly string[];
  /** The query as typed. */
  readonly typed: string;
  readonly query: TypedQuery;
  readonly page: Page;
  readonly canCreate: boolean;
  /** Pinned issues above the list. */
  readonly pinned?: readonly IssueView[];
  /** For the forms that move a pin; set if the reader can use them. */
  readonly pinToken?: string | undefined;
  /** Set if the reader can change several issues at once. */
  readonly bulk?: BulkProps | undefined;
  /** The number of issues that a form of the list has just changed, or whose change is undone. */
  readonly outcome?: { readonly changed?: number | undefined; readonly undone?: number | undefined } | undefined;
  readonly now: number;
}

export function IssueListView(props: IssueListProps): Html {
  const { kind, repository, issues, total, typed, page, bulk, now } = props;
  return (
    <>
      <Outcome {...props} />
      <Finder {...props} />
      <Pinned {...props} />
      <section class="box">
        <ListHeader {...props} />
        {bulk !== undefined && total > 0 && (
          <BulkForm kind={kind} repository={repository} query={typed} page={page.page} {...(total > issues.length && { matches: total })} {...bulk} />
        )}
        {total === 0 ? <Nothing {...props} /> : <IssueRows issues={issues} progress={props.progress} chosen={bulk?.chosen} now={now} />}
      </section>
      <Pager path={listPath(repository, kind)} query={{ q: typed }} page={page} total={total} />
    </>
  );
}

/** Confirms a change of several issues, and offers to undo it. */
function Outcome({ kind, repository, typed, bulk, outcome: { changed, undone } = {} }: IssueListProps): Html {
  const { bulk: texts } = useTexts(planningTexts);
  if (undone !== undefined)
    return (
      <p class="notice good" role="status">
        {texts.undone(undone)}
      </p>
    );
  return (
    changed !== undefined && (
      <div class="notice good bar" role="status">
        <span>{texts.changed(changed)}</span>
        {changed > 0 && bulk !== undefined && (
          <Act action={`${repositoryPath(repository)}/issues/bulk/undo`} formToken={bulk.formToken} label={texts.undo} hidden={{ kind, query: typed }} />
        )}
      </div>
    )
  );
}

const listPath = (repository: RepositoryName, kind: ListedKind): string => `${repositoryPath(repository)}/${kind}`;
const searchPath = (repository: RepositoryName, kind: ListedKind, typed: string): string => withQuery(listPath(repository, kind), { q: typed });
const newPath = (repository: RepositoryName, kind: ListedKind): string => (kind === "issues" ? `${listPath(repository, kind)}/new` : comparePath(repository));

function Finder({ kind, repository, typed, query, unknown, comparedOnly, canCreate }: IssueListProps): Html {
  const texts = useTexts(issueTexts);
  const planning = useTexts(milestoneTexts);
  const words = kind === "issues" ? texts : texts.pulls;
  const path = listPath(repository, kind);
  return (
    <>
      <form class="find" action={path} role="search" aria-label={words.find}>
        <QueryField typed={typed} label={words.find} />
        <button type="submit">
          <Icon name="search" label={texts.findButton} />
        </button>
        <a class="button" href={`${repositoryPath(repository)}/labels`}>
          <Icon name="tag" />
          {texts.labels}
        </a>
        <a class="button" href={`${repositoryPath(repository)}/milestones`}>
          <Icon name="milestone" />
          {planning.milestones}
        </a>
        {canCreate && (
          <a class="button primary" href={newPath(repository, kind)} data-key="c">
            {words.create}
          </a>
        )}
      </form>
      <SearchNotes path={path} typed={typed} query={query} unknown={unknown} comparedOnly={comparedOnly} />
    </>
  );
}

/** The box for a query. A script completes qualifiers and their values. */
export const QueryField = ({ typed, label }: { readonly typed: string; readonly label: string }): Html => (
  <input type="search" name="q" value={typed} aria-label={label} placeholder={label} autocomplete="off" spellcheck={false} data-query="" />
);

export interface SearchNotesProps {
  readonly path: string;
  readonly typed: string;
  readonly query: TypedQuery;
  readonly unknown: readonly string[];
  readonly comparedOnly: number | undefined;
}

/** Help on the syntax, the way back to the usual list, and parts of the query without effect. */
export function SearchNotes({ path, typed, query, unknown, comparedOnly }: SearchNotesProps): Html {
  const texts = useTexts(issueTexts);
  const isUsual = query.terms.length === 0 && query.words.length === 0 && query.unknown.length === 0 && query.state === "open" && query.order === "newest";
  return (
    <>
      <div class="search-notes">
        <details class="how">
          <summary>{texts.searchHelp}</summary>
          <dl class="syntax">
            {texts.syntax.map(([example, meaning]) => (
              <>
                <dt>
                  <code>{example}</code>
                </dt>
                <dd>{meaning}</dd>
              </>
            ))}
          </dl>
        </details>
        {!isUsual && typed !== "" && (
          <a href={path}>
            <Icon name="x" /> {texts.clearSearch}
          </a>
        )}
      </div>
      {unknown.length > 0 && (
        <p class="notice bad" role="status">
          {texts.unknownParts(unknown.join(", "))}
        </p>
      )}
      {comparedOnly !== undefined && <p class="notice">{texts.comparedOnly(comparedOnly)}</p>}
    </>
  );
}

/** Pinned issues; administrators of the repository can reorder them. */
function Pinned({ repository, pinned = [], now, pinToken }: IssueListProps): Html {
  const texts = useTexts(planningTexts);
  if (pinned.length === 0) return null;
  return (
    <ul class="pinned" aria-label={texts.pinned}>
      {pinned.map((issue, at) => (
        <li
          class="box"
          {...(pinToken !== undefined &&
            pinned.length > 1 &&
            draggedAttributes({
              action: changePath(repository, issue, "pin/move"),
              fields: {},
              field: "position",
              position: String(issue.pinOrder),
            }))}
        >
          <StateIcon issue={issue} />{" "}
          <a href={(issue.isPull ? pullPath : issuePath)(repository, issue.number)} dir="auto">
            {issue.title}
          </a>
          <p class="soft">
            {`#${issue.number} · `}
            <Ago ms={issue.createdMs} now={now} />
          </p>
          {pinToken !== undefined && pinned.length > 1 && (
            <div class="bar">
              {at > 0 && (
                <MovePin repository={repository} issue={issue} formToken={pinToken} label={texts.pinEarlier} position={pinned[at - 1]?.pinOrder ?? at} />
              )}
              {at < pinned.length - 1 && (
                <MovePin repository={repository} issue={issue} formToken={pinToken} label={texts.pinLater} position={pinned[at + 1]?.pinOrder ?? at + 2} />
              )}
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}

/** @param position from 1 */
const MovePin = ({ repository, issue, formToken, label, position }: PlannedProps & { readonly label: string; readonly position: number }): Html => (
  <Act action={changePath(repository, issue, "pin/move")} formToken={formToken} label={label} of={issue.title} hidden={{ position: String(position) }} />
);

function ListHeader({ kind, repository, typed, query, states, filters }: IssueListProps): Html {
  const path = listPath(repository, kind);
  return (
    <header class="list-header">
      <States path={path} typed={typed} state={query.state} states={states} />
      <span class="end filters">
        <FilterMenus path={path} repositoryPath={repositoryPath(repository)} typed={typed} choices={filters} />
        <Orders order={query.order} pathOf={(order) => withQuery(path, { q: withOrder(typed, order) })} />
      </span>
    </header>
  );
}

export interface StatesProps {
  readonly path: string;
  readonly typed: string;
  readonly state: TypedQuery["state"];
  /** Number of matches. */
  readonly states: { readonly open: number; readonly closed: number };
}

/** The matches of a query by state. */
export function States({ path, typed, state, states }: StatesProps): Html {
  const texts = useTexts(issueTexts);
  return (
    <nav class="switch" aria-label={texts.states}>
      {(["open", "closed"] as const).map((one) => (
        <a href={withQuery(path, { q: withState(typed, one) })} {...(one === state && { "aria-current": "page" })}>
          {texts[one]}
          <span class="counter">{texts.countOf(states[one])}</span>
        </a>
      ))}
    </nav>
  );
}

function Nothing({ kind, repository, typed, canCreate, hasClosed }: IssueListProps): Html {
  const texts = useTexts(issueTexts);
  const words = kind === "issues" ? texts : texts.pulls;
  if (typed !== "" && typed !== "is:open") {
    return (
      <Empty icon="search" title={texts.nothingFound}>
        <p>
          {texts.looseSearch} <a href={listPath(repository, kind)}>{texts.clearSearch}</a>
        </p>
      </Empty>
    );
  }
  const closed = <a href={searchPath(repository, kind, "is:closed")}>{texts.lookAtClosed}</a>;
  return (
    <Empty icon={kind === "issues" ? "issue-opened" : "git-pull-request"} title={hasClosed ? texts.noneOpen : words.none}>
      <p>{hasClosed ? closed : words.firstOne}</p>
      {canCreate && (
        <p>
          <a class="button" href={newPath(repository, kind)}>
            {words.create}
          </a>
        </p>
      )}
    </Empty>
  );
}
