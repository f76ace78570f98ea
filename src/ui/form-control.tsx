import { useContext } from "preact/hooks";
import type { CheckedField } from "./field-faults.ts";
import { FormContext, useFieldProblem } from "./form-problems.tsx";
import type { Html } from "./html.ts";

/** The id of a control, and the attributes that connect it with its hint and problem. */
export function useControl(
  name: string,
  hint: Html,
  { isInvalid = false, checked }: { readonly isInvalid?: boolean; readonly checked?: CheckedField | undefined } = {},
) {
  const { prefix, problem } = useContext(FormContext);
  const id = prefix + name;
  const problemText = useFieldProblem(name, checked);
  const describedBy = [hint !== undefined && `${id}-hint`, problemText !== undefined && `${id}-problem`].filter((one) => one !== false);
  return {
    id,
    problemText,
    /** The focus belongs to the field with the problem. */
    isElsewhere: problem?.field !== undefined && problemText === undefined,
    attributes: {
      id,
      name,
      ...((isInvalid || problemText !== undefined) && { "aria-invalid": true }),
      ...(problemText !== undefined && { autofocus: true }),
      ...(describedBy.length > 0 && { "aria-describedby": describedBy.join(" ") }),
    },
  };
}

interface BesideProps {
  readonly id: string;
  readonly hint: Html;
  readonly problemText: string | undefined;
}

/** The hint and the problem below a control. */
export const Beside = ({ id, hint, problemText }: BesideProps): Html => {
  const Hint = typeof hint === "string" ? "span" : "div";
  return (
    <>
      {hint !== undefined && (
        <Hint class="hint" id={`${id}-hint`}>
          {hint}
        </Hint>
      )}
      {problemText !== undefined && (
        <span class="wrong" id={`${id}-problem`}>
          {problemText}
        </span>
      )}
    </>
  );
};
