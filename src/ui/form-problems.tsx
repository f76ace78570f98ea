import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { FieldOfReason, FormProblem } from "../core/form-problem.ts";
import type { Explained } from "../core/reasons.ts";
import { type CheckedField, faultOf } from "./field-faults.ts";
import type { Html } from "./html.ts";
import { sayProblem } from "./refusals.ts";
import { sharedTexts } from "./texts/shared.ts";
import { useTexts } from "./texts/texts.ts";

export interface FormState {
  /** Prefix of the ids of its fields, on pages with several forms. */
  readonly prefix: string;
  readonly problem: FormProblem | undefined;
  /** Whether a field has shown the problem. */
  isShown: boolean;
}

export const FormContext = createContext<FormState>({ prefix: "", problem: undefined, isShown: false });

/** The problem of a field that the form does not contain. It is rendered after the fields, which show their own problem. */
export function UnshownProblem(): Html {
  const { problem, isShown } = useContext(FormContext);
  const texts = useTexts(sharedTexts);
  return problem?.field !== undefined && !isShown && <Problem text={sayProblem(texts, problem)} />;
}

/**
 * The text of the form's problem if it is about this field, or else of the field's own fault. The caller shows it, or renders `FieldProblem`.
 * @param checked its value and rules
 */
export function useFieldProblem(name: string, checked?: CheckedField): string | undefined {
  const state = useContext(FormContext);
  const texts = useTexts(sharedTexts);
  const { problem } = state;
  if (problem === undefined) return undefined;
  if (problem.field === name) {
    state.isShown = true;
    return sayProblem(texts, problem);
  }
  const other = problem.others?.find(({ field }) => field === name);
  if (other !== undefined) return sayProblem(texts, other);
  // A form that was rejected as a whole, such as one that has expired, has no wrong field.
  const reason = problem.field === undefined || checked === undefined ? undefined : faultOf(checked);
  return reason && sayProblem(texts, { message: "", reason });
}

export interface FieldProblemProps {
  readonly name: string;
  /** Prefix of its id, if it is not the name. */
  readonly id?: string;
  /** Whether the text gets the focus, because no control of the field is the wrong one. */
  readonly hasFocus?: boolean;
}

/** The problem of a field that consists of several controls. */
export function FieldProblem({ name, id = name, hasFocus }: FieldProblemProps): Html {
  const { prefix } = useContext(FormContext);
  const text = useFieldProblem(name);
  return (
    text !== undefined && (
      <p class="wrong" id={`${prefix}${id}-problem`} {...(hasFocus && { tabIndex: -1, autofocus: true })}>
        {text}
      </p>
    )
  );
}

/** The fields of texts that people write to each other. */
const writtenFields: FieldOfReason = { comment_required: "content", review_text_required: "content", title_required: "title" };

/** The error of a form for a comment, a review or an issue, at the field that it concerns. */
export function problemOfText(problem: Explained | string | undefined): FormProblem | undefined {
  if (problem === undefined) return undefined;
  const { message, reason }: Explained = typeof problem === "string" ? { message: problem, reason: undefined } : problem;
  return { field: typeof reason === "string" ? writtenFields[reason] : undefined, message, reason };
}

/** An error message that screen readers announce immediately. */
export function Problem({ text }: { readonly text: string }): Html {
  return (
    <p class="notice bad" role="alert">
      {text}
    </p>
  );
}

/** The error of a button, which has no field to show it at. */
export const Refusal = ({ problem }: { readonly problem: Explained | string }): Html => <Problem text={sayProblem(useTexts(sharedTexts), problem)} />;
