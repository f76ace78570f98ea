import { h } from "preact";
import type { Page } from "../../../core/paging.ts";
import { issuePath, type RepositoryName, repositoryPath, withQuery } from "../../../ui/addresses.ts";
import { Pager, Rendered } from "../../../ui/blocks.ts";
import { Form, Problem, TextArea } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { LabelChip } from "../../../ui/labels.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Ago } from "../../../ui/time.ts";
import type { UserView } from "../../users/view.ts";
import type { IssueView, TimelineView } from "../view.ts";
import { StateIcon } from "./list.ts";
import { Person } from "./person.ts";
import { TimelineEvent } from "./timeline-event.ts";

/** An entry of the page: what somebody wrote, rendered, or what else happened. */
export interface ShownEntry {
  readonly entry: TimelineView;
  /** Undefined for what nobody wrote. */
  readonly html: string | undefined;
}

export interface IssuePageFacts {
  readonly repository: RepositoryName;
  readonly issue: IssueView;
  /** The issue's own text. */
  readonly html: string;
  readonly entries: readonly ShownEntry[];
  /** Of the entries; the issue's own text stands on the first. */
  readonly page: Page;
  readonly total: number;
  /** Undefined: nobody has signed in. */
  readonly formToken: string | undefined;
  readonly canComment: boolean;
  readonly canEdit: boolean;
  /** A comment that was refused, and why. */
  readonly refused?: { readonly content: string; readonly problem: string };
  readonly now: number;
}

/** An issue: what it says, what happened, and where one answers. */
export const IssuePage = (facts: IssuePageFacts): Html => [
  h(Title, facts),
  h("div", { class: "columns" }, h("div", null, h(Timeline, facts), h(Answer, facts)), h(Side, facts)),
];

function Title({ issue, now }: IssuePageFacts): Html {
  const { issues: texts } = useTexts();
  return h(
    "div",
    { class: "issue-title" },
    h("h1", null, issue.title, " ", h("span", null, `#${issue.number}`)),
    h(
      "span",
      { class: issue.isClosed ? "state-badge closed" : "state-badge" },
      h(StateIcon, { isClosed: issue.isClosed }),
      issue.isClosed ? texts.closed : texts.open,
    ),
    h("span", { class: "soft" }, h(Person, { user: issue.poster }), " ", texts.wasOpened, " ", h(Ago, { ms: issue.createdMs, now })),
  );
}

function Timeline({ repository, issue, html, entries, page, total, now }: IssuePageFacts): Html {
  return [
    h(
      "ol",
      { class: "timeline" },
      page.page === 1 && h(Written, { id: "issue", user: issue.poster, ms: issue.createdMs, html, now, isIssue: true }),
      entries.map(({ entry, html: text }) =>
        text === undefined
          ? h(TimelineEvent, { repository, entry, now })
          : h(Written, { id: `issuecomment-${entry.id}`, user: entry.poster, ms: entry.createdMs, html: text, now, isIssue: false }),
      ),
    ),
    h(Pager, { path: issuePath(repository, issue.number), page, total }),
  ];
}

interface WrittenFacts {
  readonly id: string;
  readonly user: UserView | undefined;
  readonly ms: number;
  readonly html: string;
  readonly now: number;
  readonly isIssue: boolean;
}

function Written({ id, user, ms, html, now, isIssue }: WrittenFacts): Html {
  const { issues: texts } = useTexts();
  return h(
    "li",
    { class: "box", id },
    h(
      "header",
      null,
      h("strong", null, h(Person, { user })),
      h("a", { class: "soft", href: `#${id}` }, isIssue ? texts.wasOpened : texts.commented, " ", h(Ago, { ms, now })),
    ),
    h("div", { class: "within" }, html === "" ? h("p", { class: "soft" }, texts.noDescription) : h(Rendered, { html })),
  );
}

function Answer({ repository, issue, formToken, canComment, canEdit, refused }: IssuePageFacts): Html {
  const { issues: texts, site } = useTexts();
  const path = issuePath(repository, issue.number);
  if (formToken === undefined) return h("p", null, h("a", { href: withQuery("/user/login", { redirect_to: path }) }, site.signIn), " ", texts.signInToComment);
  if (!canComment) return h("p", { class: "notice" }, texts.locked);
  return h(
    Form,
    { action: `${path}/comments`, formToken },
    refused !== undefined && h(Problem, { text: refused.problem }),
    h(TextArea, { name: "content", label: texts.write, rows: 5, hint: texts.markdown, value: refused?.content ?? "" }),
    h(
      "div",
      { class: "bar" },
      h("button", { class: "primary", type: "submit", name: "action", value: "comment" }, texts.comment),
      canEdit && h("button", { type: "submit", name: "action", value: issue.isClosed ? "reopen" : "close" }, issue.isClosed ? texts.reopen : texts.close),
    ),
  );
}

function Side({ repository, issue }: IssuePageFacts): Html {
  const { issues: texts } = useTexts();
  const none = h("p", { class: "soft" }, texts.noneSet);
  const search = (word: string): string => withQuery(`${repositoryPath(repository)}/issues`, { q: `is:open ${word}` });
  return h(
    "aside",
    { class: "side" },
    h("h2", null, texts.labels),
    issue.labels.length === 0
      ? none
      : h(
          "div",
          { class: "chips" },
          issue.labels.map(({ name, color }) => h(LabelChip, { name, color, href: search(`label:"${name}"`) })),
        ),
    h("h2", null, texts.assignees),
    issue.assignees.length === 0 ? none : issue.assignees.map((user) => h("p", null, h(Person, { user }))),
    h("h2", null, texts.milestone),
    issue.milestone === undefined ? none : h("p", null, h("a", { href: search(`milestone:"${issue.milestone.title}"`) }, issue.milestone.title)),
  );
}
