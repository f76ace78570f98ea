import type { FormProblem } from "../../../../core/form-problem.ts";
import { lengths } from "../../../../core/lengths.ts";
import type { Page } from "../../../../core/paging.ts";
import { Empty, Pager } from "../../../../ui/blocks.tsx";
import { Field, Form, Submit, TextArea } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Do, Row, Rows } from "../../../../ui/rows.tsx";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import type { PublicKeyView } from "../model.ts";
import { keyTexts } from "../texts/texts.ts";
import { KeyTimes } from "./key-times.tsx";
import { Principals, type PrincipalsProps } from "./principals.tsx";

export interface NewUserKey {
  readonly title: string;
  readonly key: string;
}

export interface UserKeysProps {
  readonly path: string;
  readonly keys: readonly PublicKeyView[];
  readonly total: number;
  readonly page: Page;
  readonly values: NewUserKey;
  readonly problem?: FormProblem | undefined;
  /** Absent if the server accepts no certificates. */
  readonly principals?: Omit<PrincipalsProps, "formToken"> | undefined;
  readonly formToken: string;
}

export function UserKeysView({ path, keys, total, page, values, problem, principals, formToken }: UserKeysProps): Html {
  const account = useTexts(keyTexts);
  const { forms } = useTexts(sharedTexts);
  const texts = account.sshKeys;
  return (
    <>
      {keys.length === 0 ? (
        <Empty icon="key" title={texts.none}>
          <p>{texts.noneHint}</p>
        </Empty>
      ) : (
        <Rows>
          {keys.map((key) => (
            <Row action={<Do action={`${path}/${key.id}/remove`} formToken={formToken} label={forms.remove} of={key.title} isDanger />}>
              <strong>{key.title}</strong>
              <div class="soft">
                <code>{key.fingerprint}</code>
              </div>
              <KeyTimes of={key} />
            </Row>
          ))}
        </Rows>
      )}
      <Pager path={path} page={page} total={total} />
      <section>
        <h2>{texts.add}</h2>
        <Form action={path} formToken={formToken} problem={problem}>
          <Field name="title" maxLength={lengths.line} label={texts.title} value={values.title} autocomplete="off" />
          <TextArea name="key" label={texts.key} value={values.key} hint={texts.keyHint} rows={4} isCode />
          <Submit label={texts.add} />
        </Form>
      </section>
      {principals && <Principals {...principals} formToken={formToken} />}
    </>
  );
}
