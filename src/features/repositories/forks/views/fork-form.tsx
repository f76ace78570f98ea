import type { FormProblem } from "../../../../core/form-problem.ts";
import { lengths } from "../../../../core/lengths.ts";
import { type RepositoryName, repositoryPath } from "../../../../ui/addresses.ts";
import { CheckBox, Choice, Field, Form, OptionalField, Submit } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { forkTexts } from "../texts/texts.ts";

/** The entered values. */
export interface ForkValues {
  readonly owner: string;
  readonly name: string;
  readonly description: string;
  readonly default_branch_only: boolean;
}

export interface ForkFormProps {
  readonly repository: RepositoryName & { readonly defaultBranch: string };
  /** The caller, followed by the organizations that they belong to. */
  readonly owners: readonly string[];
  /** The caller's fork. */
  readonly present: RepositoryName | undefined;
  readonly values: ForkValues;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

/** The form for a new fork. */
export function ForkForm({ repository, owners, present, values, problem, formToken }: ForkFormProps): Html {
  const texts = useTexts(forkTexts);
  return (
    <>
      <p>{texts.how}</p>
      {present !== undefined && (
        <p class="notice">
          {texts.present} <a href={repositoryPath(present)}>{`${present.ownerName}/${present.name}`}</a>
        </p>
      )}
      <Form action={`${repositoryPath(repository)}/fork`} formToken={formToken} problem={problem} isOnce>
        <Choice name="owner" label={texts.owner} value={values.owner} options={owners.map((name) => [name, name] as const)} />
        <Field name="name" maxLength={lengths.repositoryName} label={texts.name} value={values.name} hint={texts.nameHint} names="item" autocomplete="off" />
        <OptionalField name="description" maxLength={lengths.repositoryDescription} label={texts.description} value={values.description} />
        <CheckBox
          name="default_branch_only"
          label={texts.defaultBranchOnly(repository.defaultBranch)}
          hint={texts.defaultBranchOnlyHint}
          isChecked={values.default_branch_only}
        />
        <Submit label={texts.submit} />
      </Form>
    </>
  );
}
