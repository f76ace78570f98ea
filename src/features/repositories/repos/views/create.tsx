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
  readonly labels: string;
  readonly default_branch: string;
  /** `owner/name`; empty for none. */
  readonly template: string;
}

/** The options of the selections. */
export interface NewRepositoryChoices {
  readonly gitignores: readonly string[];
  /** SPDX ids with their names. */
  readonly licenses: readonly (readonly [id: string, name: string])[];
  readonly labelSets: readonly string[];
  /** As `owner/name`. */
  readonly templates: readonly string[];
  /** The name of the default branch if none is entered. */
  readonly defaultBranch: string;
}

export interface NewRepositoryProps {
  /** The caller, followed by the organizations that they belong to. */
  readonly owners: readonly string[];
  readonly choices: NewRepositoryChoices;
  readonly values: NewRepositoryValues;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

export function NewRepositoryForm({ owners, choices, values, problem, formToken }: NewRepositoryProps): Html {
  const texts = useTexts(createTexts);
  const withNone = (options: readonly (readonly [string, string])[]) => [["", texts.noneChosen] as const, ...options];
  return (
    <>
      <p class="soft">
        {texts.migrateHint} <a href="/repo/migrate">{texts.migrate}</a>.
      </p>
      <Form action="/repo/create" formToken={formToken} problem={problem} isOnce>
        <Choice name="owner" label={texts.owner} value={values.owner} options={owners.map((name) => [name, name] as const)} />
        <Field
          name="name"
          maxLength={lengths.repositoryName}
          label={texts.name}
          value={values.name}
          hint={texts.nameHint}
          names="item"
          autocomplete="off"
          hasFocus
        />
        <OptionalField name="description" maxLength={lengths.repositoryDescription} label={texts.description} value={values.description} />
        <CheckBox name="private" label={texts.private} isChecked={values.private} />
        {choices.templates.length > 0 && (
          <Choice
            name="template"
            label={texts.template}
            value={values.template}
            options={[["", texts.noTemplate], ...choices.templates.map((name) => [name, name] as const)]}
            hint={texts.templateHint}
          />
        )}
        <Group legend={texts.more}>
          <CheckBox name="auto_init" label={texts.readme} hint={texts.readmeHint} isChecked={values.auto_init} />
          <Choice name="gitignores" label={texts.gitignore} value={values.gitignores} options={withNone(choices.gitignores.map((name) => [name, name]))} />
          <Choice name="license" label={texts.license} value={values.license} options={withNone(choices.licenses)} />
          <OptionalField
            name="default_branch"
            maxLength={100}
            label={texts.defaultBranch}
            value={values.default_branch}
            hint={texts.defaultBranchHint(choices.defaultBranch)}
            names="ref"
          />
        </Group>
        <Choice
          name="labels"
          label={texts.labels}
          value={values.labels}
          options={withNone(choices.labelSets.map((name) => [name, name]))}
          hint={texts.labelsHint}
        />
        <Submit label={texts.submit} />
      </Form>
    </>
  );
}
