import { h } from "preact";
import { Rendered } from "../../../ui/blocks.ts";
import type { Html } from "../../../ui/html.ts";
import { Icon } from "../../../ui/icons.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Ago } from "../../../ui/time.ts";
import { Person } from "../../issues/views/person.ts";
import type { ToldReview } from "./told-reviews.ts";

/** A review with its texts rendered. */
export interface ShownReview {
  readonly review: ToldReview;
  readonly html: string;
  /** What it says on lines. */
  readonly lines: Html;
}

export interface ReviewFacts extends ShownReview {
  /** The entry of the timeline at which it stands. */
  readonly entryId: number;
  readonly ms: number;
  readonly now: number;
}

const icons = { approve: "check", reject: "x", comment: "eye", pending: "clock", request: "question" } as const;

/** A review: what somebody says of the whole, and of lines. */
export function ReviewEntry({ review, html, lines, entryId, ms, now }: ReviewFacts): Html {
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
    lines,
  );
}
