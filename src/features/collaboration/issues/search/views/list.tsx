import type { Page } from "../../../../../core/paging.ts";
import { comparePath, issuePath, pullPath, type RepositoryName, repositoryPath, withQuery } from "../../../../../ui/addresses.ts";
import { Empty, Pager } from "../../../../../ui/blocks.tsx";
import type { Html } from "../../../../../ui/html.ts";
import { Icon } from "../../../../../ui/icons.tsx";
import { useTexts } from "../../../../../ui/texts/texts.ts";
import { Ago } from "../../../../../ui/time.tsx";
import { milestoneTexts } from "../../../milestones/texts/texts.ts";
import type { IssueOrder, IssueView } from "../../model.ts";
import type { ListedKind } from "../../planning/sidebar-props.ts";
import { BulkForm, type BulkProps } from "../../planning/views/bulk.tsx";
import { Act, changePath, type PlannedProps } from "../../planning/views/plan-forms.tsx";
import { issueTexts, planningTexts } from "../../texts/texts.ts";
import { StateIcon } from "../../views/state.tsx";
import { type TypedQuery, withOrder, withState } from "../query-language.ts";
import { IssueRows } from "./issue-rows.tsx";

export interface IssueListProps {
  readonly kind: ListedKind;
  readonly repository: RepositoryName;
  readonly issues: readonly IssueView[];
  readonly total: number;
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
  readonly now: number;
}

export function IssueListView(props: IssueListProps): Html {
  const { kind, repository, issues, total, typed, page, bulk, now } = props;
  return (
    <>
      <Finder {...props} />
      <Pinned {...props} />
      <section class="box">
        <ListHeader {...props} />
        {bulk !== undefined && total > 0 && <BulkForm kind={kind} repository={repository} query={typed} page={page.page} {...bulk} />}
        {total === 0 ? <Nothing {...props} /> : <IssueRows issues={issues} chosen={bulk?.chosen} now={now} />}
      </section>
      <Pager path={listPath(repository, kind)} query={{ q: typed }} page={page} total={total} />
    </>
  );
}

const listPath = (repository: RepositoryName, kind: ListedKind): string => `${repositoryPath(repository)}/${kind}`;
const searchPath = (repository: RepositoryName, kind: ListedKind, typed: string): string => withQuery(listPath(repository, kind), { q: typed });
const newPath = (repository: RepositoryName, kind: ListedKind): string => (kind === "issues" ? `${listPath(repository, kind)}/new` : comparePath(repository));

function Finder({ kind, repository, typed, unknown, canCreate }: IssueListProps): Html {
  const texts = useTexts(issueTexts);
  const planning = useTexts(milestoneTexts);
  const words = kind === "issues" ? texts : texts.pulls;
  return (
    <>
      <form class="find" action={listPath(repository, kind)} role="search" aria-label={words.find}>
        <input type="search" name="q" value={typed} aria-label={words.find} placeholder={words.find} />
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
      <SearchHelp text={texts.howToFind} />
      <UnknownParts parts={unknown} />
    </>
  );
}

/** Names the parts of a query that match no issue because they do not exist. */
export const UnknownParts = ({ parts }: { readonly parts: readonly string[] }): Html =>
  parts.length > 0 && (
    <p class="notice bad" role="status">
      {useTexts(issueTexts).unknownParts(parts.join(", "))}
    </p>
  );

/** Help on the search syntax. */
export const SearchHelp = ({ text }: { readonly text: string }): Html => (
  <details class="how">
    <summary>{useTexts(issueTexts).searchHelp}</summary>
    <p class="hint">{text}</p>
  </details>
);

/** Pinned issues; administrators of the repository can reorder them. */
function Pinned({ repository, pinned = [], now, pinToken }: IssueListProps): Html {
  const texts = useTexts(planningTexts);
  if (pinned.length === 0) return null;
  return (
    <ul class="pinned" aria-label={texts.pinned}>
      {pinned.map((issue, at) => (
        <li class="box">
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
              {at > 0 && <MovePin repository={repository} issue={issue} formToken={pinToken} label={texts.pinEarlier} position={at} />}
              {at < pinned.length - 1 && <MovePin repository={repository} issue={issue} formToken={pinToken} label={texts.pinLater} position={at + 2} />}
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

function ListHeader({ kind, repository, typed, query, total }: IssueListProps): Html {
  const texts = useTexts(issueTexts);
  return (
    <header class="list-header">
      <nav class="switch" aria-label={texts.states}>
        {(["open", "closed", "all"] as const).map((state) => (
          <a href={searchPath(repository, kind, withState(typed, state))} {...(state === query.state && { "aria-current": "page" })}>
            {texts[state]}
            {state === query.state && <span class="counter">{total}</span>}
          </a>
        ))}
      </nav>
      <span class="end">
        <Orders order={query.order} pathOf={(order) => searchPath(repository, kind, withOrder(typed, order))} />
      </span>
    </header>
  );
}

export interface OrdersProps {
  readonly order: IssueOrder;
  /** Address of the list in another order. */
  readonly pathOf: (order: IssueOrder) => string;
}

/** Menu of the list's orders. */
export function Orders({ order: now, pathOf }: OrdersProps): Html {
  const texts = useTexts(issueTexts);
  return (
    <details class="menu">
      <summary aria-label={`${texts.order}: ${texts.orders[now]}`}>
        {texts.orders[now]}
        <Icon name="chevron-down" />
      </summary>
      <div class="sheet">
        {(["newest", "oldest", "updated", "least-updated"] as const).map((order) => (
          <a href={pathOf(order)} {...(order === now && { "aria-current": "page" })}>
            {texts.orders[order]}
          </a>
        ))}
      </div>
    </details>
  );
}

function Nothing({ kind, repository, typed, canCreate, hasClosed }: IssueListProps): Html {
  const texts = useTexts(issueTexts);
  const words = kind === "issues" ? texts : texts.pulls;
  if (typed !== "" && typed !== "is:open") {
    return (
      <Empty icon="search" title={texts.nothingFound}>
        <p>
          <a href={searchPath(repository, kind, "is:all")}>{texts.looseSearch}</a>
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
