import { h } from "preact";
import type { Page } from "../../../core/paging.ts";
import { accountPath, comparePath, issuePath, pullPath, type RepositoryName, repositoryPath, withQuery } from "../../../ui/addresses.ts";
import { Empty, Pager } from "../../../ui/blocks.ts";
import type { Html } from "../../../ui/html.ts";
import { Icon } from "../../../ui/icons.ts";
import { LabelChip } from "../../../ui/labels.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Ago } from "../../../ui/time.ts";
import type { ListedKind } from "../choices.ts";
import { type TypedQuery, withOrder, withState } from "../query-language.ts";
import type { IssueOrder, IssueView } from "../view.ts";
import { type BulkFacts, BulkForm, bulkFormId } from "./bulk.ts";
import { Act, changePath, type PlannedFacts } from "./plan-forms.ts";
import { StateIcon } from "./state.ts";

export interface IssueListFacts {
  readonly kind: ListedKind;
  readonly repository: RepositoryName;
  readonly issues: readonly IssueView[];
  readonly total: number;
  /** Of an empty list: there is something, but none of it is open. */
  readonly hasClosed?: boolean;
  /** As it was typed. */
  readonly typed: string;
  readonly query: TypedQuery;
  readonly page: Page;
  readonly canCreate: boolean;
  /** What stands above the list. */
  readonly pinned?: readonly IssueView[];
  /** Of the forms that move a pin, for those who may. */
  readonly pinToken?: string | undefined;
  /** For readers who may change several at once. */
  readonly bulk?: BulkFacts | undefined;
  readonly now: number;
}

export function IssueListView(facts: IssueListFacts): Html {
  const { kind, repository, issues, total, typed, page, bulk, now } = facts;
  return [
    h(Finder, facts),
    h(Pinned, facts),
    h(States, facts),
    total === 0
      ? h(Nothing, facts)
      : [
          bulk !== undefined && h(BulkForm, { kind, repository, query: typed, page: page.page, ...bulk }),
          h(
            "ul",
            { class: "list issues" },
            issues.map((issue) => h(IssueRow, { kind, repository, issue, chosen: bulk?.chosen, now })),
          ),
        ],
    h(Pager, { path: listPath(repository, kind), query: { q: typed }, page, total }),
  ];
}

const listPath = (repository: RepositoryName, kind: ListedKind): string => `${repositoryPath(repository)}/${kind}`;
const searchPath = (repository: RepositoryName, kind: ListedKind, typed: string): string => withQuery(listPath(repository, kind), { q: typed });
const newPath = (repository: RepositoryName, kind: ListedKind): string => (kind === "issues" ? `${listPath(repository, kind)}/new` : comparePath(repository));
export const quoted = (name: string): string => (/\s/.test(name) ? `"${name}"` : name);

function Finder({ kind, repository, typed, canCreate }: IssueListFacts): Html {
  const { issues: texts, [kind]: words } = useTexts();
  return [
    h(
      "form",
      { class: "find", action: listPath(repository, kind), role: "search", "aria-label": words.find },
      h("input", { type: "search", name: "q", value: typed, "aria-label": words.find, placeholder: words.find }),
      h("button", { type: "submit" }, texts.findButton),
      canCreate && h("a", { class: "button", href: newPath(repository, kind), "data-key": "c" }, h(Icon, { name: "plus" }), words.create),
    ),
    h(SearchHelp, { text: texts.howToFind }),
  ];
}

/** The words that a search understands, for whoever wants to know. */
export const SearchHelp = ({ text }: { readonly text: string }): Html =>
  h("details", { class: "how" }, h("summary", null, useTexts().issues.searchHelp), h("p", { class: "hint" }, text));

/** Above the others; whoever administers the repository says in which order. */
function Pinned({ repository, pinned = [], now, pinToken }: IssueListFacts): Html {
  const { tracking: texts } = useTexts();
  if (pinned.length === 0) return null;
  return h(
    "ul",
    { class: "pinned", "aria-label": texts.pinned },
    pinned.map((issue, at) =>
      h(
        "li",
        { class: "box" },
        h(StateIcon, { issue }),
        " ",
        h("a", { href: (issue.isPull ? pullPath : issuePath)(repository, issue.number), dir: "auto" }, issue.title),
        h("p", { class: "soft" }, `#${issue.number} · `, h(Ago, { ms: issue.createdMs, now })),
        pinToken !== undefined &&
          pinned.length > 1 &&
          h(
            "div",
            { class: "bar" },
            at > 0 && h(MovePin, { repository, issue, formToken: pinToken, label: texts.pinEarlier, position: at }),
            at < pinned.length - 1 && h(MovePin, { repository, issue, formToken: pinToken, label: texts.pinLater, position: at + 2 }),
          ),
      ),
    ),
  );
}

/** @param position from 1 */
const MovePin = ({ repository, issue, formToken, label, position }: PlannedFacts & { readonly label: string; readonly position: number }): Html =>
  h(Act, { action: changePath(repository, issue, "pin/move"), formToken, label, of: issue.title, hidden: { position: String(position) } });

function States({ kind, repository, typed, query, total }: IssueListFacts): Html {
  const { planning, issues: texts, [kind]: words } = useTexts();
  return h(
    "div",
    { class: "bar" },
    h(
      "nav",
      { class: "switch", "aria-label": texts.states },
      (["open", "closed", "all"] as const).map((state) =>
        h("a", { href: searchPath(repository, kind, withState(typed, state)), ...(state === query.state && { "aria-current": "page" }) }, texts[state]),
      ),
    ),
    h("a", { href: `${repositoryPath(repository)}/labels` }, texts.labels),
    h("a", { href: `${repositoryPath(repository)}/milestones` }, planning.milestones),
    h("span", { class: "end soft" }, words.count(total)),
    h(Orders, { order: query.order, pathOf: (order) => searchPath(repository, kind, withOrder(typed, order)) }),
  );
}

export interface OrdersFacts {
  readonly order: IssueOrder;
  /** Where the list stands in another one. */
  readonly pathOf: (order: IssueOrder) => string;
}

/** The orders that a list may have. */
export function Orders({ order: now, pathOf }: OrdersFacts): Html {
  const { issues: texts } = useTexts();
  return h(
    "details",
    { class: "menu" },
    h("summary", { "aria-label": `${texts.order}: ${texts.orders[now]}` }, texts.orders[now], h(Icon, { name: "chevron-down" })),
    h(
      "div",
      { class: "sheet" },
      (["newest", "oldest", "updated", "least-updated"] as const).map((order) =>
        h("a", { href: pathOf(order), ...(order === now && { "aria-current": "page" }) }, texts.orders[order]),
      ),
    ),
  );
}

function Nothing({ kind, repository, typed, canCreate, hasClosed }: IssueListFacts): Html {
  const { issues: texts, [kind]: words } = useTexts();
  if (typed !== "" && typed !== "is:open") {
    return h(Empty, { icon: "search", title: texts.nothingFound }, h("p", null, h("a", { href: searchPath(repository, kind, "is:all") }, texts.looseSearch)));
  }
  const closed = h("a", { href: searchPath(repository, kind, "is:closed") }, texts.lookAtClosed);
  return h(
    Empty,
    { icon: kind === "issues" ? "issue-opened" : "git-pull-request", title: hasClosed ? texts.noneOpen : words.none },
    h("p", null, hasClosed ? closed : words.firstOne),
    canCreate && h("p", null, h("a", { class: "button", href: newPath(repository, kind) }, words.create)),
  );
}

export interface RowFacts {
  readonly kind: ListedKind;
  readonly repository: RepositoryName;
  readonly issue: IssueView;
  /** What is ticked; undefined where nothing can be. */
  readonly chosen?: readonly number[] | undefined;
  readonly now: number;
}

export function IssueRow({ kind, repository, issue, chosen, now }: RowFacts): Html {
  const { issues: texts, tracking } = useTexts();
  const { poster, milestone } = issue;
  return h(
    "li",
    null,
    chosen !== undefined &&
      h("input", {
        class: "tick-box",
        type: "checkbox",
        name: "numbers",
        value: issue.number,
        form: bulkFormId,
        checked: chosen.includes(issue.number),
        "aria-label": tracking.bulk.tick(issue.number),
      }),
    h(StateIcon, { issue }),
    h(
      "div",
      { class: "what" },
      h(
        "h2",
        null,
        h("a", { href: (issue.isPull ? pullPath : issuePath)(repository, issue.number), dir: "auto" }, issue.title),
        issue.labels.map(({ name, color }) => h(LabelChip, { name, color, href: searchPath(repository, kind, `is:open label:${quoted(name)}`) })),
      ),
      h(
        "div",
        { class: "meta" },
        h(
          "span",
          null,
          `#${issue.number} ${texts.openedBy} `,
          poster === undefined ? texts.gone : h("a", { href: accountPath(poster.name) }, poster.name),
          " ",
          h(Ago, { ms: issue.createdMs, now }),
        ),
        milestone !== undefined && h("span", null, h(Icon, { name: "milestone" }), " ", h("span", { dir: "auto" }, milestone.title)),
        issue.assignees.length > 0 &&
          h("span", null, h(Icon, { name: "person", label: texts.assignees }), " ", issue.assignees.map(({ name }) => name).join(", ")),
        issue.commentsCount > 0 && h("span", null, texts.comments(issue.commentsCount)),
      ),
    ),
  );
}
