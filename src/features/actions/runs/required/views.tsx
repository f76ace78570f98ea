import type { FormProblem } from "../../../../core/form-problem.ts";
import { CheckBox, Field, Form, Group, Submit, TextArea } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Do, Row, Rows } from "../../../../ui/rows.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import type { RequiredWorkflow } from "../model.ts";
import { runTexts } from "../texts/texts.ts";

export interface RequiredFields {
  readonly repository: string;
  readonly path: string;
  readonly branch: string;
  readonly on_pull: boolean;
  readonly on_push: boolean;
  readonly repositories: string;
}

export interface RequiredProps {
  readonly action: string;
  readonly formToken: string;
  readonly required: readonly RequiredWorkflow[];
  readonly values: RequiredFields;
  readonly problem: FormProblem | undefined;
}

/** The workflows that an organization requires in its repositories. */
export function RequiredView({ action, formToken, required, values, problem }: RequiredProps): Html {
  const texts = useTexts(runTexts).required;
  return (
    <>
      <p class="soft">{texts.hint}</p>
      {required.length === 0 ? (
        <p>{texts.none}</p>
      ) : (
        <Rows>
          {required.map(({ id, fullName, path, branch, onPush, onPull, covered }) => (
            <Row action={<Do action={`${action}/delete`} formToken={formToken} label={texts.delete} of={path} hidden={{ id: String(id) }} isDanger />}>
              <code>
                {fullName}/{path}
              </code>
              <div class="soft">
                {[
                  branch === "" ? texts.defaultBranch : texts.onBranch(branch),
                  ...(onPull ? [texts.pulls] : []),
                  ...(onPush ? [texts.pushes] : []),
                  covered === undefined ? texts.all : texts.inSome(covered.join(", ")),
                ].join(" · ")}
              </div>
            </Row>
          ))}
        </Rows>
      )}
      <h2>{texts.add}</h2>
      <Form action={action} formToken={formToken} problem={problem}>
        <Field name="repository" label={texts.repository} value={values.repository} hint={texts.repositoryHint} autocomplete="off" />
        <Field name="path" label={texts.path} value={values.path} example=".gitea/workflows/check.yml" autocomplete="off" />
        <Field name="branch" label={texts.branch} value={values.branch} hint={texts.branchHint} autocomplete="off" isOptional />
        <Group legend={texts.events}>
          <CheckBox name="on_pull" label={texts.pulls} isChecked={values.on_pull} hint={texts.pullsHint} />
          <CheckBox name="on_push" label={texts.pushes} isChecked={values.on_push} />
        </Group>
        <TextArea name="repositories" label={texts.repositories} value={values.repositories} hint={texts.repositoriesHint} rows={4} isCode />
        <Submit label={texts.add} />
      </Form>
    </>
  );
}
