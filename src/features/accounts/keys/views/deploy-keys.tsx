import type { FormProblem } from "../../../../core/form-problem.ts";
import { lengths } from "../../../../core/lengths.ts";
import type { Page } from "../../../../core/paging.ts";
import { type RepositoryName, settingsPath } from "../../../../ui/addresses.ts";
import { Empty, Pager } from "../../../../ui/blocks.tsx";
import { CheckBox, Field, Form, Submit, TextArea } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Do, Row, Rows } from "../../../../ui/rows.tsx";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { Day } from "../../../../ui/time.tsx";
import type { DeployKeyView } from "../model.ts";
import { keyTexts } from "../texts/texts.ts";

export interface NewDeployKey {
  readonly title: string;
  readonly key: string;
  readonly can_write: boolean;
}

export interface DeployKeysProps {
  readonly repository: RepositoryName;
  readonly keys: readonly DeployKeyView[];
  readonly total: number;
  readonly page: Page;
  readonly values: NewDeployKey;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

export function DeployKeysView({ repository, keys, total, page, values, problem, formToken }: DeployKeysProps): Html {
  const settings = useTexts(keyTexts);
  const { forms } = useTexts(sharedTexts);
  const texts = settings.deployKeys;
  const path = settingsPath(repository, "/keys");
  return (
    <>
      {keys.length === 0 ? (
        <Empty icon="key" title={texts.none}>
          <p>{texts.noneHint}</p>
        </Empty>
      ) : (
        <>
          <p class="soft">{texts.hint}</p>
          <Rows>
            {keys.map((key) => (
              <Row action={<Do action={`${path}/${key.id}/remove`} formToken={formToken} label={forms.remove} of={key.title} isDanger />}>
                <strong>{key.title}</strong> <span class="badge">{key.isReadOnly ? texts.readOnly : texts.writes}</span>
                <div class="soft">
                  <code>{key.fingerprint}</code>
                  {", "}
                  {texts.added} <Day ms={key.createdMs} />
                </div>
              </Row>
            ))}
          </Rows>
          <Pager path={path} page={page} total={total} />
        </>
      )}
      <section>
        <h2>{texts.add}</h2>
        <Form action={path} formToken={formToken} problem={problem}>
          <Field name="title" maxLength={lengths.line} label={texts.title} value={values.title} autocomplete="off" />
          <TextArea name="key" label={texts.key} value={values.key} hint={texts.keyHint} rows={4} isCode />
          <CheckBox name="can_write" label={texts.canWrite} isChecked={values.can_write} />
          <Submit label={texts.add} />
        </Form>
      </section>
    </>
  );
}
