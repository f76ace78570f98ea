import { Form, OptionalField, Submit } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { Rendered } from "../../../../ui/rendered.tsx";
import { Do } from "../../../../ui/rows.tsx";
import { fill } from "../../../../ui/texts/fill.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { Ago } from "../../../../ui/time.tsx";
import { Person } from "../../issues/views/person.tsx";
import { pullTexts } from "../texts/texts.ts";
import type { Dismissing, ReviewSentence } from "./review-sentences.ts";

/** A review with rendered texts. */
export interface ShownReview {
  readonly review: ReviewSentence;
  readonly html: string;
  /** Its comments on lines. */
  readonly lines: Html;
}

export interface ReviewProps extends ShownReview {
  /** Its timeline entry. */
  readonly entryId: number;
  readonly ms: number;
  readonly now: number;
  /** Undefined: not signed in. */
  readonly formToken: string | undefined;
}

export const verdictIcons = { approve: "check", reject: "x", comment: "eye", pending: "clock", request: "question" } as const;

/** A review with its summary and its comments on lines. */
export function ReviewEntry({ review, html, lines, entryId, ms, now, formToken }: ReviewProps): Html {
  const texts = useTexts(pullTexts);
  const id = `issuecomment-${entryId}`;
  return (
    <li class="box" id={id}>
      <header>
        <Icon name={verdictIcons[review.kind]} />
        <strong>
          <Person user={review.reviewer} formerName={review.originalAuthor} avatarSize={24} />
        </strong>
        <a class="soft" href={`#${id}`}>
          {fill<Html>(texts.reviews[review.kind], { when: <Ago ms={ms} now={now} /> })}
        </a>
        {review.isStale && <span class="badge">{texts.stale}</span>}
        {review.isDismissed && <span class="badge">{texts.dismissed}</span>}
      </header>
      {html !== "" && (
        <div class="within">
          <Rendered html={html} />
        </div>
      )}
      {lines}
      {formToken !== undefined && review.dismissing !== undefined && (
        <Dismissal {...review.dismissing} name={review.reviewer?.name ?? ""} formToken={formToken} />
      )}
    </li>
  );
}

/** Button to dismiss a verdict or to restore it. */
function Dismissal({ path: action, isDismissed, name, formToken }: Dismissing & { readonly name: string; readonly formToken: string }): Html {
  const texts = useTexts(pullTexts);
  if (isDismissed)
    return (
      <div class="within below">
        <Do action={action} formToken={formToken} label={texts.undismiss} of={name} hidden={{ action: "undo", message: "" }} />
      </div>
    );
  return (
    <details class="within below">
      <summary>{texts.dismiss}</summary>
      <Form action={action} formToken={formToken} hidden={{ action: "dismiss" }}>
        <OptionalField name="message" label={texts.dismissWhy} value="" hint={texts.dismissHint} />
        <Submit label={texts.dismissIt} />
      </Form>
    </details>
  );
}
