import { h } from "preact";
import { Rendered } from "../../../ui/blocks.ts";
import { HunkLines } from "../../../ui/diff.ts";
import { Form, Refusal, Submit, TextArea } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { Do } from "../../../ui/rows.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Ago } from "../../../ui/time.ts";
import { Person } from "../../issues/views/person.ts";
import { linesOfHunk, partsOf, suggestionOf } from "../suggestions.ts";
import type { Thread, ThreadComment } from "../view.ts";
import { Suggested } from "./suggested.ts";

/** What a reader may do in conversations. */
export interface TalkFacts {
  /** Of the forms; undefined: he does nothing. */
  readonly formToken: string | undefined;
  readonly canTalk: boolean;
  readonly canResolve: boolean;
  /** Where a conversation is answered and resolved, by one of its comments. */
  readonly talkPath: (commentId: number) => string;
  /** Where a comment is changed; undefined: not by the reader. */
  readonly editPath: (comment: ThreadComment) => string | undefined;
  /** Texts of comments, rendered. */
  readonly htmlOf: (text: string) => string;
  readonly refusedReply: RefusedReply | undefined;
  /** Where suggestions are committed; undefined: not by the reader. */
  readonly applyPath: string | undefined;
  /** Whether a form stands on the page that commits several of them. */
  readonly isBatched: boolean;
  readonly now: number;
}

/** A reply that was not taken. */
export interface RefusedReply {
  readonly commentId: number;
  readonly content: string;
  readonly problem: string;
}

export interface ThreadFacts extends TalkFacts {
  readonly thread: Thread;
  /** Its lines do not stand on the page, or are gone: they stand above it as they were. */
  readonly isElsewhere?: boolean;
}

/** A conversation on lines. One that is resolved is folded. */
export function ThreadView(facts: ThreadFacts): Html {
  const { reviewing: texts, pulls } = useTexts();
  const { thread, isElsewhere, refusedReply } = facts;
  const { first, comments } = thread;
  const content = [
    isElsewhere && h("p", { class: "soft" }, first.present === undefined ? pulls.outdated : pulls.lines(first.present.startLine, first.present.line)),
    isElsewhere && first.hunk !== "" && h(HunkLines, { hunk: first.hunk }),
    comments.map((comment) => h(Comment, { ...facts, comment })),
    h(Answering, facts),
  ];
  if (first.resolver === undefined) return h("div", { class: "thread" }, content);
  const isAsked = comments.some(({ id }) => id === refusedReply?.commentId);
  return h("details", { class: "thread", open: isAsked }, h("summary", null, texts.resolved, " · ", pulls.resolved(first.resolver.name)), content);
}

function Comment({ comment, htmlOf, editPath, applyPath, isBatched, formToken, now }: ThreadFacts & { readonly comment: ThreadComment }): Html {
  const { reviewing: texts, issues, forms } = useTexts();
  const { id, poster, createdMs, content, isDraft, present, path, side, hunk, startLine, line } = comment;
  const editing = editPath(comment);
  const applies = applyPath !== undefined && formToken !== undefined && isApplicable(comment);
  return h(
    "article",
    { class: "said", id: `issuecomment-${id}` },
    h(
      "p",
      { class: "soft" },
      h("strong", null, h(Person, { user: poster })),
      " ",
      h("a", { href: `#issuecomment-${id}` }, issues.commented, " ", h(Ago, { ms: createdMs, now })),
      isDraft && [" ", h("span", { class: "badge" }, texts.draft)],
      editing !== undefined && [" ", h("a", { class: "edit", href: editing, "aria-label": `${forms.edit}: ${issues.comment}` }, forms.edit)],
    ),
    partsOf(content).map((part) =>
      part.kind === "text"
        ? h(Rendered, { html: htmlOf(part.text) })
        : h(
            Suggested,
            {
              path: present?.path ?? path,
              before: linesOfHunk(hunk, side, line - startLine + 1),
              after: part.lines,
              startLine: present?.startLine ?? startLine,
            },
            applies && h(Applying, { id, applyPath, isBatched, formToken }),
          ),
    ),
  );
}

/** Whether what a comment suggests can still be done. */
export const isApplicable = ({ side, present, resolver, isDraft, content }: ThreadComment): boolean =>
  side === "new" && present !== undefined && resolver === undefined && !isDraft && suggestionOf(content) !== undefined;

/** Of the form that commits several suggestions. */
export const batchId = "suggestions";

interface ApplyingFacts {
  readonly id: number;
  readonly applyPath: string;
  readonly isBatched: boolean;
  readonly formToken: string;
}

/** Commits it alone, or chooses it for a commit of several. */
function Applying({ id, applyPath, isBatched, formToken }: ApplyingFacts): Html {
  const { reviewing: texts } = useTexts();
  return [
    isBatched &&
      h(
        "span",
        { class: "check" },
        h("input", { type: "checkbox", id: `choose-${id}`, name: "ids", value: id, form: batchId }),
        h("label", { for: `choose-${id}` }, texts.choose),
      ),
    h(Do, { action: applyPath, formToken, label: texts.apply, of: texts.suggestion, hidden: { ids: String(id), title: "" } }),
  ];
}

function Answering({ thread, formToken, canTalk, canResolve, talkPath, refusedReply }: ThreadFacts): Html {
  const { reviewing: texts, issues } = useTexts();
  const { first, comments } = thread;
  if (formToken === undefined) return null;
  const action = talkPath(first.id);
  const refused = comments.some(({ id }) => id === refusedReply?.commentId) ? refusedReply : undefined;
  return h(
    "div",
    { class: "bar" },
    canTalk &&
      h(
        "details",
        { open: refused !== undefined, class: "reply" },
        h("summary", null, texts.reply),
        refused !== undefined && h(Refusal, { message: refused.problem }),
        h(
          Form,
          { action, formToken, name: `reply-${first.id}`, isOnce: true, hidden: { action: "reply" } },
          h(TextArea, { name: "content", label: texts.text, rows: 3, hint: issues.markdown, isMarkdown: true, value: refused?.content ?? "" }),
          h(Submit, { label: texts.sendReply }),
        ),
      ),
    canResolve && !first.isDraft && h(Resolving, { action, formToken, isResolved: first.resolver !== undefined, of: first.path }),
  );
}

interface ResolvingFacts {
  readonly action: string;
  readonly formToken: string;
  readonly isResolved: boolean;
  readonly of: string;
}

function Resolving({ action, formToken, isResolved, of }: ResolvingFacts): Html {
  const { reviewing: texts } = useTexts();
  return h(Do, {
    action,
    formToken,
    of,
    label: isResolved ? texts.unresolve : texts.resolve,
    hidden: { action: isResolved ? "unresolve" : "resolve", content: "" },
  });
}
