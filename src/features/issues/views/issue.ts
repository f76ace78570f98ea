import { h } from "preact";
import type { Page } from "../../../core/paging.ts";
import { issuePath, type RepositoryName } from "../../../ui/addresses.ts";
import { Pager } from "../../../ui/blocks.ts";
import type { Html } from "../../../ui/html.ts";
import type { IssueView } from "../view.ts";
import { Answer, type AnswerFacts, ConversationTitle, issueEditing, type ShownEntry, Side, Written, WrittenComment } from "./conversation.ts";
import { TimelineEvent } from "./timeline-event.ts";

export interface IssuePageFacts extends Omit<AnswerFacts, "path"> {
  readonly repository: RepositoryName;
  readonly issue: IssueView;
  /** The issue's own text. */
  readonly html: string;
  readonly entries: readonly ShownEntry[];
  /** Of the entries; the issue's own text stands on the first. */
  readonly page: Page;
  readonly total: number;
  readonly now: number;
}

/** An issue: what it says, what happened, and where one answers. */
export const IssuePage = (facts: IssuePageFacts): Html => [
  h(ConversationTitle, facts),
  h(
    "div",
    { class: "columns" },
    h("div", null, h(Timeline, facts), h(Answer, { ...facts, path: issuePath(facts.repository, facts.issue.number) })),
    h(Side, facts),
  ),
];

function Timeline({ repository, issue, html, entries, canEdit, page, total, now }: IssuePageFacts): Html {
  return [
    h(
      "ol",
      { class: "timeline" },
      page.page === 1 &&
        h(Written, {
          id: "issue",
          user: issue.poster,
          ms: issue.createdMs,
          html,
          now,
          isIssue: true,
          editing: canEdit ? issueEditing(repository, issue.number) : undefined,
        }),
      entries.map((shown) =>
        shown.html === undefined ? h(TimelineEvent, { repository, entry: shown.entry, now }) : h(WrittenComment, { repository, shown, now }),
      ),
    ),
    h(Pager, { path: issuePath(repository, issue.number), page, total }),
  ];
}
