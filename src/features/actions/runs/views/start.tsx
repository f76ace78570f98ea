import type { FormProblem } from "../../../../core/form-problem.ts";
import { fieldLength } from "../../../../core/lengths.ts";
import type { RepositoryName } from "../../../../ui/addresses.ts";
import { CheckBox, Choice, Field, Form, OptionalField } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import type { DispatchInput } from "../language/workflow.ts";
import { runTexts } from "../texts/texts.ts";
import { workflowPath } from "./runs.tsx";

export interface StartProps {
  readonly repository: RepositoryName;
  readonly file: string;
  readonly ref: string;
  /** Names of branches, as suggestions. */
  readonly branches: readonly string[];
  /** Undefined: the branch or tag has no such workflow. */
  readonly inputs: readonly DispatchInput[] | undefined;
  readonly values: Readonly<Record<string, string>>;
  readonly formToken: string;
  readonly problem?: FormProblem | undefined;
}

/** The form that starts a workflow with its inputs. Another branch can have other inputs: its form is loaded first. */
export function StartView({ repository, file, ref, branches, inputs, values, formToken, problem }: StartProps): Html {
  const texts = useTexts(runTexts);
  return (
    <>
      <form class="find" action={workflowPath(repository, file, "run")}>
        <OptionalField name="ref" label={texts.run.ref} value={ref} hint={texts.run.refHint} suggestions={branches} />
        <button type="submit">{texts.run.load}</button>
      </form>
      {inputs === undefined ? (
        <p class="notice">{texts.run.notDispatchable}</p>
      ) : (
        <Form action={workflowPath(repository, file, "dispatches")} formToken={formToken} hidden={{ ref }} isOnce name="start" problem={problem}>
          {inputs.length === 0 && <p class="soft">{texts.run.none}</p>}
          {inputs.map((input) => (
            <Input input={input} value={values[input.name] ?? input.default} />
          ))}
          <div>
            <button class="primary" type="submit">
              {texts.run.submit}
            </button>
          </div>
        </Form>
      )}
    </>
  );
}

const maxLength = fieldLength("inputs");

function Input({ input: { name, description, type, isRequired, options }, value }: { readonly input: DispatchInput; readonly value: string }): Html {
  const field = `inputs.${name}`;
  const label = description || name;
  if (type === "boolean") return <CheckBox name={field} label={label} isChecked={value === "true"} />;
  if (type === "choice") return <Choice name={field} label={label} value={value} options={options.map((option) => [option, option] as const)} />;
  if (type === "number")
    return <Field name={field} label={label} inputMode="numeric" maxLength={maxLength} value={value} autocomplete="off" isOptional={!isRequired} />;
  return <Field name={field} label={label} maxLength={maxLength} value={value} autocomplete="off" isOptional={!isRequired} />;
}
