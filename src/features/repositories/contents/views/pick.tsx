import type { FormProblem } from "../../../../core/form-problem.ts";
import { commitPath, pickPath, type RepositoryName } from "../../../../ui/addresses.ts";
import { Choice, Field, Form, OptionalField, Submit, TextArea } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { pickTexts } from "../texts/texts.ts";

export interface PickProps {
  readonly repository: RepositoryName;
  readonly oid: string;
  readonly formToken: string;
  readonly values: PickTyped;
  readonly problem: FormProblem | undefined;
}

/** The submitted values. */
export interface PickTyped {
  readonly how: string;
  readonly branch: string;
  readonly new_branch: string;
  readonly message: string;
}

/** The form for cherry-picking or reverting a commit. */
export function PickView({ repository, oid, formToken, values, problem }: PickProps): Html {
  const texts = useTexts(pickTexts);
  const { forms } = useTexts(sharedTexts);
  return (
    <Form action={pickPath(repository, oid)} formToken={formToken} isOnce problem={problem}>
      <Choice
        name="how"
        label={texts.how}
        value={values.how}
        options={[
          ["pick", texts.pick],
          ["revert", texts.revert],
        ]}
      />
      <Field name="branch" label={texts.branch} value={values.branch} autocomplete="off" />
      <OptionalField name="new_branch" label={texts.newBranch} value={values.new_branch} hint={texts.newBranchHint} names="ref" />
      <TextArea name="message" label={texts.message} value={values.message} rows={6} hint={texts.messageHint} />
      <div class="bar">
        <Submit label={texts.commit} />
        <a href={commitPath(repository, oid)}>{forms.cancel}</a>
      </div>
    </Form>
  );
}
