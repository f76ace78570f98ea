import { h } from "preact";
import { Rendered } from "../../../ui/blocks.ts";
import { Form, OptionalField, Submit } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { Icon } from "../../../ui/icons.ts";
import { Do } from "../../../ui/rows.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Ago } from "../../../ui/time.ts";
import { Person } from "../../issues/views/person.ts";
import type { Dismissing, ToldReview } from "./told-reviews.ts";

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
  /** Undefined: nobody has signed in. */
  readonly formToken: string | undefined;
}

export const verdictIcons = { approve: "check", reject: "x", comment: "eye", pending: "clock", request: "question" } as const;

/** A review: what somebody says of the whole, and of lines. */
export function ReviewEntry({ review, html, lines, entryId, ms, now, formToken }: ReviewFacts): Html {
  const { pulls: texts } = useTexts();
  const id = `issuecomment-${entryId}`;
  return h(
    "li",
    { class: "box", id },
    h(
      "header",
      null,
      h(Icon, { name: verdictIcons[review.kind] }),
      h("strong", null, h(Person, { user: review.reviewer })),
      h("a", { class: "soft", href: `#${id}` }, texts.reviews[review.kind], " ", h(Ago, { ms, now })),
      review.isStale && h("span", { class: "badge" }, texts.stale),
      review.isDismissed && h("span", { class: "badge" }, texts.dismissed),
    ),
    html !== "" && h("div", { class: "within" }, h(Rendered, { html })),
    lines,
    formToken !== undefined && review.dismissing !== undefined && h(Dismissal, { ...review.dismissing, name: review.reviewer?.name ?? "", formToken }),
  );
}

/** Lets a verdict count no more, or again. */
function Dismissal({ path: action, isDismissed, name, formToken }: Dismissing & { readonly name: string; readonly formToken: string }): Html {
  const { pulls: texts } = useTexts();
  if (isDismissed)
    return h("div", { class: "within below" }, h(Do, { action, formToken, label: texts.undismiss, of: name, hidden: { action: "undo", message: "" } }));
  return h(
    "details",
    { class: "within below" },
    h("summary", null, texts.dismiss),
    h(
      Form,
      { action, formToken, hidden: { action: "dismiss" } },
      h(OptionalField, { name: "message", label: texts.dismissWhy, value: "", hint: texts.dismissHint }),
      h(Submit, { label: texts.dismissIt }),
    ),
  );
}
