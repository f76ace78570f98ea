import { randomUUID } from "node:crypto";
import type { FormProblem } from "../core/form-problem.ts";
import { fieldLength } from "../core/lengths.ts";
import type { CodeEditor } from "./editor-bundle.ts";
import { Beside, useControl } from "./form-control.tsx";
import { FormContext, type FormState, Problem, UnshownProblem } from "./form-problems.tsx";
import type { Html } from "./html.ts";
import { type NameKind, useHint } from "./name-hints.ts";
import { FormToken } from "./page.tsx";
import { sayProblem } from "./refusals.ts";
import { sharedTexts } from "./texts/shared.ts";
import { useTexts } from "./texts/texts.ts";

export interface FormProps {
  readonly action: string;
  /** The token of the session; undefined for visitors. */
  readonly formToken?: string | undefined;
  /** Hidden fields by name. */
  readonly hidden?: Readonly<Record<string, string>>;
  /** The form creates something: if it is sent twice, only one is created. */
  readonly isOnce?: boolean;
  /** Distinguishes its fields from those of other forms of the page. */
  readonly name?: string;
  /** The reason of the last rejection, shown next to the field that it concerns, or else above the form. */
  readonly problem?: FormProblem | undefined;
  /** Arranges the fields in a row. */
  readonly isInline?: boolean;
  /** The form uploads files: its route declares `formFiles` or `formUploads`. */
  readonly hasFiles?: boolean;
  readonly children?: Html;
}

/** A form with method POST. */
export function Form({ action, formToken, hidden = {}, isOnce, name, problem, isInline, hasFiles, children }: FormProps): Html {
  const texts = useTexts(sharedTexts);
  const state: FormState = { prefix: name === undefined ? "" : `${name}-`, problem, isShown: false };
  return (
    <form
      class={isInline ? "inline" : "stack"}
      method="post"
      action={action}
      {...(hasFiles && { enctype: "multipart/form-data" })}
      {...(problem !== undefined && { "data-refused": true })}
    >
      {formToken !== undefined && <FormToken value={formToken} />}
      {isOnce && <input type="hidden" name="_once" value={randomUUID()} />}
      {Object.entries(hidden).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      {problem !== undefined && <Problem text={problem.field === undefined ? sayProblem(texts, problem) : texts.forms.refused} />}
      <FormContext.Provider value={state}>
        {children}
        <UnshownProblem />
      </FormContext.Provider>
    </form>
  );
}

export interface FieldProps {
  readonly name: string;
  readonly label: string;
  /** As in the body of the route; by default the one of its name. */
  readonly maxLength?: number;
  readonly type?: "text" | "password" | "email" | "url" | "date" | "color";
  readonly value?: string;
  readonly hint?: Html;
  /** An example value. It disappears when the user types, so it must not contain necessary information. */
  readonly example?: string | undefined;
  /** The value of the HTML attribute `autocomplete`. */
  readonly autocomplete: string;
  readonly inputMode?: "numeric";
  readonly isInvalid?: boolean;
  readonly hasFocus?: boolean;
  readonly isOptional?: boolean;
  /** The field contains user names, which scripts complete. */
  readonly holdsNames?: boolean;
  /** The field takes a new name of this kind. */
  readonly names?: NameKind | undefined;
  /** Suggestions of the browser; other values are allowed. */
  readonly suggestions?: readonly string[];
}

/** A field with its label; required unless it is optional. */
export function Field(props: FieldProps): Html {
  const {
    name,
    label,
    maxLength = fieldLength(name),
    type = "text",
    value,
    example,
    autocomplete,
    inputMode,
    isInvalid,
    hasFocus,
    isOptional,
    holdsNames,
    names,
    suggestions,
  } = props;
  const hint = useHint(props.hint, names);
  const checked = value === undefined ? undefined : { value, maxLength, isRequired: !isOptional, type, names };
  const { id, problemText, isElsewhere, attributes } = useControl(name, hint, { ...(isInvalid && { isInvalid }), checked });
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...attributes}
        // Preact's types of inputs depend on the type attribute, and a union of types matches none of them.
        type={type as "text"}
        {...(type !== "date" && type !== "color" && { maxLength })}
        autocomplete={autocomplete}
        {...(!isOptional && { required: true })}
        {...(value !== undefined && { value })}
        {...(inputMode !== undefined && { inputMode })}
        {...(example !== undefined && { placeholder: example })}
        {...(hasFocus && !isElsewhere && { autofocus: true })}
        {...(holdsNames && { "data-names": true })}
        {...(suggestions !== undefined && { list: `${id}-offered` })}
        // Names and codes are not prose.
        {...(type === "text" && { autocapitalize: "none", spellcheck: false })}
      />
      {suggestions !== undefined && <Suggestions id={`${id}-offered`} values={suggestions} />}
      <Beside id={id} hint={hint} problemText={problemText} />
    </div>
  );
}

const Suggestions = ({ id, values }: { readonly id: string; readonly values: readonly string[] }): Html => (
  <datalist id={id}>
    {values.map((one) => (
      <option value={one} />
    ))}
  </datalist>
);

export interface TextAreaProps {
  readonly name: string;
  readonly label: string;
  /** As in the body of the route; by default the one of its name. */
  readonly maxLength?: number;
  readonly value?: string;
  readonly hint?: Html;
  readonly example?: string | undefined;
  readonly rows: number;
  /** The text is for machines, such as keys and patterns. */
  readonly isCode?: boolean;
  readonly has?: "secret" | "focus" | undefined;
  /** The text is rendered as Markdown; scripts add a preview. */
  readonly isMarkdown?: boolean;
  /** The preview resolves links as the page will; by default those of a comment. */
  readonly previewAs?: "wiki";
  /** API path to which dropped files are uploaded. */
  readonly attachPath?: string | undefined;
  /** The key that focuses the field. */
  readonly shortcut?: string;
  /** The id of the field with its label, as the target of links. */
  readonly anchor?: string;
  /** Scripts replace the field by the code editor. */
  readonly editor?: CodeEditor | undefined;
}

/** An optional field of several lines. */
export function TextArea({
  name,
  label,
  maxLength = fieldLength(name),
  value = "",
  hint,
  example,
  rows,
  isCode,
  has,
  isMarkdown,
  previewAs,
  attachPath,
  shortcut,
  anchor,
  editor,
}: TextAreaProps): Html {
  const { id, problemText, attributes } = useControl(name, hint, { checked: { value, maxLength, isRequired: false } });
  return (
    <div class="field" id={anchor}>
      <label for={id}>{label}</label>
      {isMarkdown && <div class="switch modes" />}
      <textarea
        {...attributes}
        maxLength={maxLength}
        rows={rows}
        value={value}
        {...(example !== undefined && { placeholder: example })}
        {...(isCode && { class: "code", spellcheck: false })}
        {...(has === "focus" ? { autofocus: true } : has === "secret" && { "data-secret": true, autocomplete: "off", spellcheck: false })}
        {...(previewAs !== undefined && { "data-preview-as": previewAs })}
        {...(isMarkdown && { "data-markdown": true, dir: "auto" })}
        {...(attachPath !== undefined && { "data-attach": attachPath })}
        {...(shortcut !== undefined && { "data-key": shortcut })}
        {...(editor !== undefined && { "data-editor": editor.path, "data-indent": editor.indent, "data-tab-size": editor.tabSize })}
      />
      <Beside id={id} hint={hint} problemText={problemText} />
    </div>
  );
}

export interface FileFieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string | undefined;
  /** Accepted types, such as `image/png,image/jpeg`; all by default. */
  readonly accept?: string;
  readonly isMultiple?: boolean;
  readonly isOptional?: boolean;
  /** Maximum total size in bytes, which scripts check before the upload. */
  readonly maxBytes?: number;
  /** Maximum size of each file in bytes. */
  readonly maxBytesEach?: number;
}

/** A file field, for a form with `hasFiles`. */
export function FileField({ name, label, hint, accept, isMultiple, isOptional, maxBytes, maxBytesEach }: FileFieldProps): Html {
  const { id, problemText, attributes } = useControl(name, hint);
  const { scripts } = useTexts(sharedTexts);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {isMultiple && <p class="drop-zone">{scripts.dropFiles}</p>}
      <input
        {...attributes}
        type="file"
        {...(!isOptional && { required: true })}
        {...(accept !== undefined && { accept })}
        {...(isMultiple && { multiple: true })}
        {...(maxBytes !== undefined && { "data-max-bytes": maxBytes })}
        {...(maxBytesEach !== undefined && { "data-max-bytes-each": maxBytesEach })}
      />
      <Beside id={id} hint={hint} problemText={problemText} />
    </div>
  );
}

export interface OptionalFieldProps {
  readonly name: string;
  readonly label: string;
  /** As in the body of the route; by default the one of its name. */
  readonly maxLength?: number;
  readonly value: string;
  readonly hint?: string | undefined;
  /** The field takes a new name of this kind. */
  readonly names?: NameKind | undefined;
  /** Suggestions of the browser; other values are allowed. */
  readonly suggestions?: readonly string[];
}

/** An optional field of one line. */
export function OptionalField({ name, label, maxLength = fieldLength(name), value, hint: ownHint, names, suggestions }: OptionalFieldProps): Html {
  const hint = useHint(ownHint, names);
  const { id, problemText, attributes } = useControl(name, hint, { checked: { value, maxLength, isRequired: false, names } });
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input {...attributes} maxLength={maxLength} value={value} type="text" autocomplete="off" {...(suggestions !== undefined && { list: `${id}-offered` })} />
      {suggestions !== undefined && <Suggestions id={`${id}-offered`} values={suggestions} />}
      <Beside id={id} hint={hint} problemText={problemText} />
    </div>
  );
}

export interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly hint?: Html;
}

/** A selection of one value. */
export function Choice({ name, label, value, options, hint }: ChoiceProps): Html {
  const { id, problemText, attributes } = useControl(name, hint);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select {...attributes}>
        {options.map(([option, text]) => (
          <option value={option} selected={option === value}>
            {text}
          </option>
        ))}
      </select>
      <Beside id={id} hint={hint} problemText={problemText} />
    </div>
  );
}

export interface CheckBoxProps {
  readonly name: string;
  readonly label: string;
  readonly isChecked: boolean;
  readonly hint?: string | undefined;
  /** Fields that only apply if it is checked, and are hidden otherwise. */
  readonly children?: Html;
}

/** A checkbox, which sends `true` if it is checked. */
export function CheckBox({ name, label, isChecked, hint, children }: CheckBoxProps): Html {
  const { id, problemText, attributes } = useControl(name, hint);
  const check = (
    <div class="check">
      <input {...attributes} type="checkbox" value="true" checked={isChecked} />
      <div>
        <label for={id}>{label}</label>
        <Beside id={id} hint={hint} problemText={problemText} />
      </div>
    </div>
  );
  if (children === undefined) return check;
  return (
    <div class="choosing">
      {check}
      <div class="dependent">{children}</div>
    </div>
  );
}

/** A value that the form keeps without showing it. */
export const KeptField = ({ name, value }: { readonly name: string; readonly value: string }): Html => <input type="hidden" name={name} value={value} />;

export interface GroupProps {
  readonly legend: string;
  readonly hint?: string | undefined;
  readonly children?: Html;
}

/** A group of fields with a legend. */
export const Group = ({ legend, hint, children }: GroupProps): Html => (
  <fieldset>
    <legend>{legend}</legend>
    {hint !== undefined && <p class="hint">{hint}</p>}
    {children}
  </fieldset>
);

export interface SubmitProps {
  readonly label: string;
  readonly isDanger?: boolean;
  /** Another form is the main one of the page. */
  readonly isSecondary?: boolean;
}

export const Submit = ({ label, isDanger, isSecondary }: SubmitProps): Html => (
  <div>
    <button {...(!isSecondary && { class: isDanger ? "danger" : "primary" })} type="submit">
      {label}
    </button>
  </div>
);
