import { h } from "preact";
import type { RepositoryName } from "../../../ui/addresses.ts";
import { Choice, Form, Refusal, Submit, TextArea } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { Do } from "../../../ui/rows.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import type { DiffState } from "../../diffs/views/looking.ts";
import type { PullView } from "../../pulls/view.ts";
import { filesPath } from "./files-address.ts";

export const verdicts = ["comment", "approve", "reject"] as const;
export type Verdict = (typeof verdicts)[number];

/** A review that was not taken. */
export interface RefusedReview {
  readonly verdict: string;
  readonly content: string;
  readonly problem: string;
}

export interface ReviewFormFacts {
  readonly repository: RepositoryName;
  readonly pull: PullView;
  readonly state: DiffState;
  readonly formToken: string;
  /** Comments that wait for it; undefined: nothing was begun. */
  readonly drafts: number | undefined;
  /** Nobody judges what is his own, or what is closed. */
  readonly canJudge: boolean;
  readonly refused: RefusedReview | undefined;
}

/** Where somebody says what he thinks of the whole, and sends what he has written on lines. */
export function ReviewForm({ repository, pull, state, formToken, drafts, canJudge, refused }: ReviewFormFacts): Html {
  const { reviewing: texts, issues } = useTexts();
  const offered = canJudge ? verdicts : (["comment"] as const);
  const action = filesPath(repository, pull.number, state, "/review");
  return h(
    "details",
    { class: "box within-diff", id: "review", open: refused !== undefined },
    h("summary", null, texts.finish(drafts ?? 0)),
    refused !== undefined && h(Refusal, { message: refused.problem }),
    h(
      Form,
      { action, formToken, name: "review", isOnce: true, hidden: { head: pull.headOid, action: "submit" } },
      h(TextArea, { name: "content", label: texts.summary, rows: 4, hint: issues.markdown, isMarkdown: true, value: refused?.content ?? "", shortcut: "c" }),
      h(Choice, {
        name: "verdict",
        label: texts.verdict,
        value: refused?.verdict ?? "comment",
        options: offered.map((verdict) => [verdict, texts.verdicts[verdict]] as const),
      }),
      h(Submit, { label: texts.submit }),
    ),
    drafts !== undefined &&
      h(
        "div",
        { class: "below" },
        h(Do, { action, formToken, label: texts.discard, of: texts.review, isDanger: true, hidden: { action: "discard", content: "", verdict: "" } }),
      ),
  );
}
