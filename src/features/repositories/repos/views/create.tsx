import type { FormProblem } from "../../../../core/form-problem.ts";
import { lengths } from "../../../../core/lengths.ts";
import { CheckBox, Choice, Field, Form, Group, OptionalField, Submit } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { createTexts } from "../texts/texts.ts";

/** The submitted values, by the API's field names. */
export interface NewRepositoryValues {
  readonly owner: string;
  readonly name: string;
  readonly description: string;
  readonly private: boolean;
  readonly auto_init: boolean;
  readonly gitignores: string;
  readonly license: string;
}

export interface NewRepositoryProps {
  /** The caller, followed by the organizations that they belong to. */
  readonly owners: readonly string[];
  readonly values: NewRepositoryValues;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

/** The form for a new repository. */
export function NewRepositoryForm({ owners, values, problem, formToken }: NewRepositoryProps): Html {
  const texts = useTexts(createTexts);
  return (
    <Form action="/repo/create" formToken={formToken} problem={problem} isOnce>
      <Choice name="owner" label={texts.owner} value={values.owner} options={owners.map((name) => [name, name] as const)} />
      <Field name="name" maxLength={lengths.repositoryName} label={texts.name} value={values.name} hint={texts.nameHint} autocomplete="off" hasFocus />
      <OptionalField name="description" maxLength={lengths.repositoryDescription} label={texts.description} value={values.description} />
      <CheckBox name="private" label={texts.private} isChecked={values.private} />
      <Group legend={texts.more}>
        <CheckBox name="auto_init" label={texts.readme} hint={texts.readmeHint} isChecked={values.auto_init} />
        <OptionalField name="gitignores" label={texts.gitignore} value={values.gitignores} hint={texts.gitignoreHint} />
        <OptionalField name="license" label={texts.license} value={values.license} hint={texts.licenseHint} />
      </Group>
      <Submit label={texts.submit} />
    </Form>
  );
}
