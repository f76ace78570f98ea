import { h } from "preact";
import { issuePath, type RepositoryName, repositoryPath, withQuery } from "../../../ui/addresses.ts";
import { Rendered } from "../../../ui/blocks.ts";
import { Form, Problem, TextArea } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Ago } from "../../../ui/time.ts";
import type { UserView } from "../../users/view.ts";
import type { IssueView, TimelineView } from "../view.ts";
import { Person } from "./person.ts";
import { type OfReactions, Reactions } from "./reactions.ts";
import { StateBadge } from "./state.ts";

/** What conversations of issues and of pull requests are made of. */

/** An entry of the page: what somebody wrote, rendered, or what else happened. */
export interface ShownEntry {
  readonly entry: TimelineView;
  /** Undefined for what nobody wrote. */
  readonly html: string | undefined;
  /** Whether the reader may change it. */
  readonly isEditable: boolean;
  readonly reactions?: OfReactions | undefined;
}

export interface TitleFacts {
  readonly issue: IssueView;
  readonly now: number;
  /** Beside who opened it. */
  readonly children?: Html;
}

/** What it is called, how it stands and whose it is. */
export function ConversationTitle({ issue, now, children }: TitleFacts): Html {
  const { issues: texts } = useTexts();
  return h(
    "div",
    { class: "issue-title" },
    h("h1", { dir: "auto" }, issue.title, " ", h("span", null, `#${issue.number}`)),
    h(StateBadge, { issue }),
    h("span", { class: "soft" }, h(Person, { user: issue.poster }), " ", texts.wasOpened, " ", h(Ago, { ms: issue.createdMs, now })),
    children,
  );
}

export interface WrittenFacts {
  readonly id: string;
  readonly user: UserView | undefined;
  readonly ms: number;
  /** Rendered; empty: nothing. */
  readonly html: string;
  readonly now: number;
  readonly isIssue: boolean;
  /** Where the reader changes it, on a page and through the interface; undefined where he may not. */
  readonly editing: { readonly page: string; readonly api: string } | undefined;
  /** Where its former texts are; undefined for what was never changed. */
  readonly history?: string | undefined;
  readonly reactions?: OfReactions | undefined;
}

/** Where the text of an issue or pull request is changed. */
export const issueEditing = (repository: RepositoryName, number: number) => ({
  page: `${issuePath(repository, number)}/edit`,
  api: `/repos${issuePath(repository, number)}`,
});

/** Where a comment under one is. */
export const commentEditing = (repository: RepositoryName, number: number, id: number) => ({
  page: `${issuePath(repository, number)}/comments/${id}/edit`,
  deletion: `${issuePath(repository, number)}/comments/${id}/delete`,
  api: `/repos${repositoryPath(repository)}/issues/comments/${id}`,
});

/** Where files are uploaded while somebody writes there. */
export const uploadPath = (repository: RepositoryName): string => `/repos${repositoryPath(repository)}/issues/assets`;

/** Where the former texts of an issue, or of a comment under it, are read. */
export const historyOf = (repository: RepositoryName, number: number, version: number, commentId?: number): string | undefined =>
  version === 0 ? undefined : withQuery(`${issuePath(repository, number)}/history`, { comment: commentId });

/** What somebody wrote. */
export function Written({ id, user, ms, html, now, isIssue, editing, history, reactions }: WrittenFacts): Html {
  const { issues: texts, forms, tracking } = useTexts();
  const what = isIssue ? texts.newText : texts.comment;
  return h(
    "li",
    { class: "box", id, ...(editing !== undefined && { "data-editable": editing.api }) },
    h(
      "header",
      null,
      h("strong", null, h(Person, { user })),
      h("a", { class: "soft", href: `#${id}` }, isIssue ? texts.wasOpened : texts.commented, " ", h(Ago, { ms, now })),
      history !== undefined && h("a", { class: "soft", href: history }, tracking.edited),
      editing !== undefined &&
        h("a", { class: "end", href: editing.page, "aria-label": `${forms.edit}: ${what}`, ...(isIssue && { "data-key": "e" }) }, forms.edit),
    ),
    h("div", { class: "within" }, html === "" ? h("p", { class: "soft" }, texts.noDescription) : h(Rendered, { html })),
    reactions !== undefined && h(Reactions, reactions),
  );
}

export interface AnswerFacts {
  /** Of the page that the answer stands on. */
  readonly path: string;
  readonly issue: IssueView;
  /** Undefined: nobody has signed in. */
  readonly formToken: string | undefined;
  readonly canComment: boolean;
  readonly canEdit: boolean;
  /** A comment that was refused, and why. */
  readonly refused?: { readonly content: string; readonly problem: string };
}

/** Where one comments, closes and reopens. */
export function Answer({ path, issue, formToken, canComment, canEdit, refused }: AnswerFacts): Html {
  const { issues: texts, site } = useTexts();
  if (formToken === undefined) return h("p", null, h("a", { href: withQuery("/user/login", { redirect_to: path }) }, site.signIn), " ", texts.signInToComment);
  if (!canComment) return h("p", { class: "notice" }, texts.locked);
  const changesState = canEdit && issue.mergedMs === null;
  return h(
    Form,
    { action: `${path}/comments`, formToken, isOnce: true },
    refused !== undefined && h(Problem, { text: refused.problem }),
    h(TextArea, {
      name: "content",
      label: texts.write,
      rows: 5,
      hint: texts.markdown,
      value: refused?.content ?? "",
      isMarkdown: true,
      attachPath: uploadPath(issue.place),
      shortcut: "c",
    }),
    h(
      "div",
      { class: "bar" },
      h("button", { class: "primary", type: "submit", name: "action", value: "comment" }, texts.comment),
      changesState && h("button", { type: "submit", name: "action", value: issue.isClosed ? "reopen" : "close" }, issue.isClosed ? texts.reopen : texts.close),
    ),
  );
}
