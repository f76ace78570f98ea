import type { Page } from "../../../../../core/paging.ts";
import { accountPath, comparePath, issuePath, pullPath, type RepositoryName, repositoryPath, withQuery } from "../../../../../ui/addresses.ts";
import { Empty, Pager } from "../../../../../ui/blocks.tsx";
import type { Html } from "../../../../../ui/html.ts";
import { Icon } from "../../../../../ui/icons.tsx";
import { LabelChip } from "../../../../../ui/labels.tsx";
import { useTexts } from "../../../../../ui/texts/texts.ts";
import { Ago } from "../../../../../ui/time.tsx";
import { milestoneTexts } from "../../../milestones/texts/texts.ts";
import type { IssueOrder, IssueView } from "../../model.ts";
import type { ListedKind } from "../../planning/sidebar-props.ts";
import { BulkForm, type BulkProps, bulkFormId } from "../../planning/views/bulk.tsx";
import { Act, changePath, type PlannedProps } from "../../planning/views/plan-forms.tsx";
import { issueTexts, planningTexts } from "../../texts/texts.ts";
import { StateIcon } from "../../views/state.tsx";
import { type TypedQuery, withOrder, withState } from "../query-language.ts";

export interface IssueListProps {
  readonly kind: ListedKind;
  readonly repository: RepositoryName;
  readonly issues: readonly IssueView[];
  readonly total: number;
  /** For an empty list: whether there are closed issues. */
  readonly hasClosed?: boolean;
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
      <States {...props} />
      {total === 0 ? (
        <Nothing {...props} />
      ) : (
        <>
          {bulk !== undefined && <BulkForm kind={kind} repository={repository} query={typed} page={page.page} {...bulk} />}
          <ul class="list issues">
            {issues.map((issue) => (
              <IssueRow kind={kind} repository={repository} issue={issue} chosen={bulk?.chosen} now={now} />
            ))}
          </ul>
        </>
      )}
      <Pager path={listPath(repository, kind)} query={{ q: typed }} page={page} total={total} />
    </>
  );
}

const listPath = (repository: RepositoryName, kind: ListedKind): string => `${repositoryPath(repository)}/${kind}`;
const searchPath = (repository: RepositoryName, kind: ListedKind, typed: string): string => withQuery(listPath(repository, kind), { q: typed });
const newPath = (repository: RepositoryName, kind: ListedKind): string => (kind === "issues" ? `${listPath(repository, kind)}/new` : comparePath(repository));
export const quoted = (name: string): string => (/\s/.test(name) ? `"${name}"` : name);

function Finder({ kind, repository, typed, canCreate }: IssueListProps): Html {
  const texts = useTexts(issueTexts);
  const words = kind === "issues" ? texts : texts.pulls;
  return (
    <>
      <form class="find" action={listPath(repository, kind)} role="search" aria-label={words.find}>
        <input type="search" name="q" value={typed} aria-label={words.find} placeholder={words.find} />
        <button type="submit">{texts.findButton}</button>
        {canCreate && (
          <a class="button" href={newPath(repository, kind)} data-key="c">
            <Icon name="plus" />
            {words.create}
          </a>
        )}
      </form>
      <SearchHelp text={texts.howToFind} />
    </>
  );
}

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

function States({ kind, repository, typed, query, total }: IssueListProps): Html {
  const planning = useTexts(milestoneTexts);
  const texts = useTexts(issueTexts);
  const words = kind === "issues" ? texts : texts.pulls;
  return (
    <div class="bar">
      <nav class="switch" aria-label={texts.states}>
        {(["open", "closed", "all"] as const).map((state) => (
          <a href={searchPath(repository, kind, withState(typed, state))} {...(state === query.state && { "aria-current": "page" })}>
            {texts[state]}
          </a>
        ))}
      </nav>
      <a href={`${repositoryPath(repository)}/labels`}>{texts.labels}</a>
      <a href={`${repositoryPath(repository)}/milestones`}>{planning.milestones}</a>
      <span class="end soft">{words.count(total)}</span>
      <Orders order={query.order} pathOf={(order) => searchPath(repository, kind, withOrder(typed, order))} />
    </div>
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

export interface RowProps {
  readonly kind: ListedKind;
  readonly repository: RepositoryName;
  readonly issue: IssueView;
  /** Selected issues; undefined without checkboxes. */
  readonly chosen?: readonly number[] | undefined;
  readonly now: number;
}

export function IssueRow({ kind, repository, issue, chosen, now }: RowProps): Html {
  const texts = useTexts(issueTexts);
  const tracking = useTexts(planningTexts);
  const { poster, milestone } = issue;
  return (
    <li>
      {chosen !== undefined && (
        <input
          class="tick-box"
          type="checkbox"
          name="numbers"
          value={issue.number}
          form={bulkFormId}
          checked={chosen.includes(issue.number)}
          aria-label={tracking.bulk.tick(issue.number)}
        />
      )}
      <StateIcon issue={issue} />
      <div class="what">
        <h2>
          <a href={(issue.isPull ? pullPath : issuePath)(repository, issue.number)} dir="auto">
            {issue.title}
          </a>
          {issue.labels.map(({ name, color }) => (
            <LabelChip name={name} color={color} href={searchPath(repository, kind, `is:open label:${quoted(name)}`)} />
          ))}
        </h2>
        <div class="meta">
          <span>
            {`#${issue.number} ${texts.openedBy} `}
            {poster === undefined ? texts.gone : <a href={accountPath(poster.name)}>{poster.name}</a>} <Ago ms={issue.createdMs} now={now} />
          </span>
          {milestone !== undefined && (
            <span>
              <Icon name="milestone" /> <span dir="auto">{milestone.title}</span>
            </span>
          )}
          {issue.assignees.length > 0 && (
            <span>
              <Icon name="person" label={texts.assignees} /> {issue.assignees.map(({ name }) => name).join(", ")}
            </span>
          )}
          {issue.commentsCount > 0 && <span>{texts.comments(issue.commentsCount)}</span>}
        </div>
      </div>
    </li>
  );
}
