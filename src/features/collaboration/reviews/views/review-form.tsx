import type { Explained } from "../../../../core/reasons.ts";
import type { RepositoryName } from "../../../../ui/addresses.ts";
import { problemOfText } from "../../../../ui/form-problems.tsx";
import { Form, Submit, TextArea } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { Do } from "../../../../ui/rows.tsx";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import type { PullView } from "../../pulls/model.ts";
import { reviewTexts } from "../texts/texts.ts";
import { type FilesState, filesPath } from "./files-address.ts";

export const verdicts = ["comment", "approve", "reject"] as const;
export type Verdict = (typeof verdicts)[number];

/** A rejected review. */
export interface RefusedReview {
  readonly verdict: string;
  readonly content: string;
  readonly problem: Explained | string;
}

export interface ReviewFormProps {
  readonly repository: RepositoryName;
  readonly pull: PullView;
  readonly state: FilesState;
  readonly formToken: string;
  /** Number of pending comments; undefined: no pending review. */
  readonly drafts: number | undefined;
  /** False for the author, and on a closed pull request. */
  readonly canEvaluate: boolean;
  readonly refused: RefusedReview | undefined;
}

/** Form to submit a review with its pending comments. */
export function ReviewForm({ repository, pull, state, formToken, drafts, canEvaluate, refused }: ReviewFormProps): Html {
  const texts = useTexts(reviewTexts);
  const { forms } = useTexts(sharedTexts);
  const offered = canEvaluate ? verdicts : (["comment"] as const);
  const action = filesPath(repository, pull.number, state, "/review");
  return (
    <details class="menu review" id="review" open={refused !== undefined}>
      <summary class="button primary">
        {texts.finish(drafts ?? 0)}
        <Icon name="chevron-down" />
      </summary>
      <div class="sheet">
        <Form
          action={action}
          formToken={formToken}
          name="review"
          isOnce
          hidden={{ head: pull.headOid, action: "submit" }}
          problem={problemOfText(refused?.problem)}
        >
          <TextArea name="content" label={texts.summary} rows={4} hint={forms.markdown} isMarkdown value={refused?.content ?? ""} shortcut="c" />
          <fieldset class="verdicts">
            <legend>{texts.verdict}</legend>
            {offered.map((verdict) => (
              <div class="check">
                <input type="radio" id={`verdict-${verdict}`} name="verdict" value={verdict} checked={verdict === (refused?.verdict ?? "comment")} />
                <div>
                  <label for={`verdict-${verdict}`}>{texts.verdicts[verdict]}</label>
                  <span class="hint">{texts.verdictHints[verdict]}</span>
                </div>
              </div>
            ))}
          </fieldset>
          <Submit label={texts.submit} />
        </Form>
        {drafts !== undefined && (
          <div class="below">
            <Do
              action={action}
              formToken={formToken}
              label={texts.discard}
              of={texts.review}
              isDanger
              hidden={{ action: "discard", content: "", verdict: "" }}
            />
          </div>
        )}
      </div>
    </details>
  );
}
