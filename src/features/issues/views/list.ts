import { h } from "preact";
import type { Page } from "../../../core/paging.ts";
import { accountPath, issuePath, type RepositoryName, repositoryPath, withQuery } from "../../../ui/addresses.ts";
import { Empty, Pager } from "../../../ui/blocks.ts";
import type { Html } from "../../../ui/html.ts";
import { Icon } from "../../../ui/icons.ts";
import { LabelChip } from "../../../ui/labels.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Ago } from "../../../ui/time.ts";
import { type TypedQuery, withState } from "../query-language.ts";
import type { IssueView } from "../view.ts";

export interface IssueListFacts {
  readonly repository: RepositoryName;
  readonly issues: readonly IssueView[];
  readonly total: number;
  /** As it was typed. */
  readonly typed: string;
  readonly query: TypedQuery;
  readonly page: Page;
  readonly canCreate: boolean;
  readonly now: number;
}

export function IssueListView(facts: IssueListFacts): Html {
  const { repository, issues, total, typed, page, now } = facts;
  return [
    h(Finder, facts),
    h(States, facts),
    total === 0
      ? h(Nothing, facts)
      : h(
          "ul",
          { class: "list issues" },
          issues.map((issue) => h(IssueRow, { repository, issue, now })),
        ),
    h(Pager, { path: issuesPath(repository), query: { q: typed }, page, total }),
  ];
}

const issuesPath = (repository: RepositoryName): string => `${repositoryPath(repository)}/issues`;
const searchPath = (repository: RepositoryName, typed: string): string => withQuery(issuesPath(repository), { q: typed });
const quoted = (name: string): string => (/\s/.test(name) ? `"${name}"` : name);

function Finder({ repository, typed, canCreate }: IssueListFacts): Html {
  const { issues: texts } = useTexts();
  return h(
    "form",
    { class: "find", action: issuesPath(repository), role: "search" },
    h("input", { type: "search", name: "q", value: typed, "aria-label": texts.find, title: texts.howToFind, placeholder: texts.find }),
    h("button", { type: "submit" }, texts.findButton),
    canCreate && h("a", { class: "button", href: `${issuesPath(repository)}/new` }, h(Icon, { name: "plus" }), texts.create),
  );
}

function States({ repository, typed, query, total }: IssueListFacts): Html {
  const { issues: texts } = useTexts();
  return h(
    "div",
    { class: "bar" },
    h(
      "nav",
      { class: "switch", "aria-label": texts.states },
      (["open", "closed", "all"] as const).map((state) =>
        h("a", { href: searchPath(repository, withState(typed, state)), ...(state === query.state && { "aria-current": "page" }) }, texts[state]),
      ),
    ),
    h("span", { class: "end soft" }, texts.count(total)),
  );
}

function Nothing({ repository, typed, canCreate }: IssueListFacts): Html {
  const { issues: texts } = useTexts();
  if (typed !== "" && typed !== "is:open") {
    return h(Empty, { icon: "search", title: texts.nothingFound }, h("p", null, h("a", { href: searchPath(repository, "is:all") }, texts.looseSearch)));
  }
  return h(
    Empty,
    { icon: "issue-opened", title: texts.none },
    h("p", null, texts.firstOne),
    canCreate && h("p", null, h("a", { class: "button", href: `${issuesPath(repository)}/new` }, texts.create)),
  );
}

interface RowFacts {
  readonly repository: RepositoryName;
  readonly issue: IssueView;
  readonly now: number;
}

function IssueRow({ repository, issue, now }: RowFacts): Html {
  const { issues: texts } = useTexts();
  const { poster, milestone } = issue;
  return h(
    "li",
    null,
    h(StateIcon, { isClosed: issue.isClosed }),
    h(
      "div",
      { class: "what" },
      h(
        "h3",
        null,
        h("a", { href: issuePath(repository, issue.number) }, issue.title),
        issue.labels.map(({ name, color }) => h(LabelChip, { name, color, href: searchPath(repository, `is:open label:${quoted(name)}`) })),
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
        milestone !== undefined && h("span", null, h(Icon, { name: "milestone" }), " ", milestone.title),
        issue.assignees.length > 0 &&
          h("span", null, h(Icon, { name: "person", label: texts.assignees }), " ", issue.assignees.map(({ name }) => name).join(", ")),
        issue.commentsCount > 0 && h("span", null, texts.comments(issue.commentsCount)),
      ),
    ),
  );
}

export function StateIcon({ isClosed }: { readonly isClosed: boolean }): Html {
  const { issues: texts } = useTexts();
  return h(
    "span",
    { class: isClosed ? "state closed" : "state" },
    h(Icon, { name: isClosed ? "issue-closed" : "issue-opened", label: isClosed ? texts.closed : texts.open }),
  );
}
