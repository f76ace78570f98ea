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
  /** The possible owners. */
  readonly owners: readonly string[];
  /** Forks of the caller and their organizations. */
  readonly present: readonly RepositoryName[];
  readonly values: ForkValues;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

/** The form for a new fork. */
export function ForkForm(props: ForkFormProps): Html {
  const texts = useTexts(forkTexts);
  const { owners, present } = props;
  return (
    <>
      <p>{texts.how}</p>
      {present.length > 0 && (
        <p class="notice">
          {texts.present(present.length)}{" "}
          {present.map((fork, index) => (
            <>
              {index > 0 && ", "}
              <a href={repositoryPath(fork)}>{`${fork.ownerName}/${fork.name}`}</a>
            </>
          ))}
        </p>
      )}
      {owners.length === 0 ? <p>{texts.noOwner}</p> : <Fields {...props} />}
    </>
  );
}

function Fields({ repository, owners, values, problem, formToken }: ForkFormProps): Html {
  const texts = useTexts(forkTexts);
  return (
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
  );
}
