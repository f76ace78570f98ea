import { h } from "preact";
import { Rendered } from "../../../ui/blocks.ts";
import { HunkLines } from "../../../ui/diff.ts";
import type { Html } from "../../../ui/html.ts";
import { Icon } from "../../../ui/icons.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Ago } from "../../../ui/time.ts";
import { Person } from "../../issues/views/person.ts";
import type { ToldLineComment, ToldReview } from "../told-reviews.ts";

/** A review with its texts rendered. */
export interface ShownReview {
  readonly review: ToldReview;
  readonly html: string;
  readonly comments: readonly { readonly comment: ToldLineComment; readonly html: string }[];
}

export interface ReviewFacts extends ShownReview {
  /** Where the lines stand that it is about. */
  readonly filesPath: string;
  /** The entry of the timeline at which it stands. */
  readonly entryId: number;
  readonly ms: number;
  readonly now: number;
}

const icons = { approve: "check", reject: "x", comment: "eye", pending: "clock", request: "question" } as const;

/** A review: what somebody says of the whole, and of lines. */
export function ReviewEntry({ review, html, comments, filesPath, entryId, ms, now }: ReviewFacts): Html {
  const { pulls: texts } = useTexts();
  const id = `issuecomment-${entryId}`;
  return h(
    "li",
    { class: "box", id },
    h(
      "header",
      null,
      h(Icon, { name: icons[review.kind] }),
      h("strong", null, h(Person, { user: review.reviewer })),
      h("a", { class: "soft", href: `#${id}` }, texts.reviews[review.kind], " ", h(Ago, { ms, now })),
      review.isStale && h("span", { class: "badge" }, texts.stale),
      review.isDismissed && h("span", { class: "badge" }, texts.dismissed),
    ),
    html !== "" && h("div", { class: "within" }, h(Rendered, { html })),
    comments.map(({ comment, html: text }) => h(LineComment, { comment, html: text, filesPath, now })),
  );
}

interface LineCommentFacts {
  readonly filesPath: string;
  readonly comment: ToldLineComment;
  readonly html: string;
  readonly now: number;
}

function LineComment({ comment, html, filesPath, now }: LineCommentFacts): Html {
  const { pulls: texts, issues } = useTexts();
  const { path, present, hunk, poster, resolver, createdMs, id } = comment;
  return h(
    "div",
    { class: "within below", id: `issuecomment-${id}` },
    h(
      "p",
      { class: "soft" },
      h("code", null, present?.path ?? path),
      " ",
      present === undefined ? texts.outdated : texts.lines(present.startLine, present.line),
      resolver !== undefined && [" · ", texts.resolved(resolver.name)],
    ),
    hunk !== "" && h(HunkLines, { hunk }),
    h("p", { class: "soft" }, h(Person, { user: poster }), " ", issues.commented, " ", h(Ago, { ms: createdMs, now })),
    h(Rendered, { html }),
    h("p", null, h("a", { href: `${filesPath}#issuecomment-${id}` }, texts.answerThere)),
  );
}
