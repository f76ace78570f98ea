import type { Explained } from "../../../../core/reasons.ts";
import type { RepositoryName } from "../../../../ui/addresses.ts";
import { Refusal } from "../../../../ui/form-problems.tsx";
import { Choice, Form, Submit, TextArea } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Do } from "../../../../ui/rows.tsx";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import type { DiffState } from "../../../repositories/diffs/views/looking.ts";
import type { PullView } from "../../pulls/model.ts";
import { reviewTexts } from "../texts/texts.ts";
import { filesPath } from "./files-address.ts";

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
  readonly state: DiffState;
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
    <details class="box within-diff" id="review" open={refused !== undefined}>
      <summary>{texts.finish(drafts ?? 0)}</summary>
      {refused !== undefined && <Refusal problem={refused.problem} />}
      <Form action={action} formToken={formToken} name="review" isOnce hidden={{ head: pull.headOid, action: "submit" }}>
        <TextArea name="content" label={texts.summary} rows={4} hint={forms.markdown} isMarkdown value={refused?.content ?? ""} shortcut="c" />
        <Choice
          name="verdict"
          label={texts.verdict}
          value={refused?.verdict ?? "comment"}
          options={offered.map((verdict) => [verdict, texts.verdicts[verdict]] as const)}
        />
        <Submit label={texts.submit} />
      </Form>
      {drafts !== undefined && (
        <div class="below">
          <Do action={action} formToken={formToken} label={texts.discard} of={texts.review} isDanger hidden={{ action: "discard", content: "", verdict: "" }} />
        </div>
      )}
    </details>
  );
}
