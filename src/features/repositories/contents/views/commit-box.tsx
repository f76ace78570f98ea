import { Choice, OptionalField, TextArea } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { editTexts } from "../texts/texts.ts";

/** The submitted commit fields of a form. */
export interface CommitTyped {
  readonly summary: string;
  readonly details: string;
  /** `direct` or `branch`. */
  readonly target: string;
  readonly new_branch: string;
}

export interface CommitBoxProps {
  readonly branch: string;
  readonly commit: CommitTyped;
  /** The default summary of the commit. */
  readonly usualSummary: string;
}

/** The form fields for the commit message and the branch. */
export function CommitBox({ branch, commit, usualSummary }: CommitBoxProps): Html {
  const texts = useTexts(editTexts);
  return (
    <>
      <h2>{texts.commit}</h2>
      <OptionalField name="summary" label={texts.summary} value={commit.summary} hint={usualSummary === "" ? undefined : texts.summaryHint(usualSummary)} />
      <TextArea name="details" label={texts.details} value={commit.details} rows={3} />
      <Choice
        name="target"
        label={texts.where}
        value={commit.target}
        options={[
          ["direct", texts.direct(branch)],
          ["branch", texts.branch],
        ]}
      />
      <OptionalField name="new_branch" label={texts.newBranch} value={commit.new_branch} hint={texts.newBranchHint} />
    </>
  );
}
