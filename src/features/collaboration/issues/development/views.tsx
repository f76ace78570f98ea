import { Field, Form } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { changePath, type PlannedProps } from "../planning/views/plan-forms.tsx";
import { planningTexts } from "../texts/texts.ts";
import type { NewIssueBranch } from "./model.ts";

/** Form to create a branch for an issue. */
export function NewBranchForm({ repository, issue, formToken, problem, values }: PlannedProps & { readonly values: NewIssueBranch }): Html {
  const texts = useTexts(planningTexts);
  return (
    <Form action={changePath(repository, issue, "branches")} formToken={formToken} name="branch" isOnce problem={problem}>
      <Field name="name" label={texts.branchName} value={values.name} names="ref" autocomplete="off" />
      <Field name="from" label={texts.branchFrom} value={values.from} autocomplete="off" />
      <div class="bar">
        <button type="submit">{texts.createBranch}</button>
      </div>
    </Form>
  );
}

/** Form to link an existing branch to an issue. */
export function LinkBranchForm({ repository, issue, formToken, problem, branch = "" }: PlannedProps & { readonly branch?: string }): Html {
  const texts = useTexts(planningTexts);
  return (
    <Form action={changePath(repository, issue, "branches/link")} formToken={formToken} name="linked" problem={problem}>
      <Field name="branch" label={texts.existingBranch} value={branch} autocomplete="off" />
      <div class="bar">
        <button type="submit">{texts.linkBranch}</button>
      </div>
    </Form>
  );
}
