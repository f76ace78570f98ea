import type { FormProblem } from "../../../../core/form-problem.ts";
import { pullPath, type RepositoryName } from "../../../../ui/addresses.ts";
import { Field, Form, Submit } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import type { PullView } from "../model.ts";
import { pullTexts } from "../texts/texts.ts";

export interface BaseProps {
  readonly repository: RepositoryName;
  readonly pull: PullView;
  readonly formToken: string;
  /** The branch as entered. */
  readonly base: string;
  readonly problem: FormProblem | undefined;
}

/** Form to change the base branch. */
export function BaseForm({ repository, pull, formToken, base, problem }: BaseProps): Html {
  const texts = useTexts(pullTexts);
  const { forms } = useTexts(sharedTexts);
  const path = pullPath(repository, pull.number);
  return (
    <Form action={`${path}/base`} formToken={formToken} problem={problem}>
      <Field name="base" label={texts.base} value={base} hint={texts.baseHint} autocomplete="off" />
      <div class="bar">
        <Submit label={forms.save} />
        <a href={path}>{forms.cancel}</a>
      </div>
    </Form>
  );
}
