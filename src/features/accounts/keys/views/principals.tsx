import type { FormProblem } from "../../../../core/form-problem.ts";
import { lengths } from "../../../../core/lengths.ts";
import { Field, Form, Submit } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Do, Row, Rows } from "../../../../ui/rows.tsx";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import type { PublicKeyView } from "../model.ts";
import { keyTexts } from "../texts/texts.ts";
import { KeyTimes } from "./key-times.tsx";

export interface PrincipalsProps {
  readonly path: string;
  readonly principals: readonly PublicKeyView[];
  /** The principals that the settings allow: `username`, `email`, `anything`. */
  readonly allowed: readonly string[];
  readonly value: string;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

/** The principals of the reader's SSH certificates. */
export function Principals({ path, principals, allowed, value, problem, formToken }: PrincipalsProps): Html {
  const { principals: texts } = useTexts(keyTexts);
  const { forms } = useTexts(sharedTexts);
  return (
    <section>
      <h2>{texts.title}</h2>
      <p class="soft">{texts.hint}</p>
      {principals.length > 0 && (
        <Rows>
          {principals.map((principal) => (
            <Row action={<Do action={`${path}/${principal.id}/remove`} formToken={formToken} label={forms.remove} of={principal.content} isDanger />}>
              <strong>{principal.content}</strong>
              <KeyTimes of={principal} />
            </Row>
          ))}
        </Rows>
      )}
      <Form action={path} formToken={formToken} problem={problem}>
        <Field name="principal" maxLength={lengths.line} label={texts.principal} value={value} hint={texts.allowed(allowed)} autocomplete="off" />
        <Submit label={texts.add} isSecondary />
      </Form>
    </section>
  );
}
