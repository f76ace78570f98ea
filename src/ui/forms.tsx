import { randomUUID } from "node:crypto";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { FormProblem } from "../core/form-problem.ts";
import { fieldLength } from "../core/lengths.ts";
import type { Html } from "./html.ts";
import { FormToken } from "./page.tsx";
import { sayProblem } from "./refusals.ts";
import { sharedTexts } from "./texts/shared.ts";
import { useTexts } from "./texts/texts.ts";

interface FormState {
  /** Before the ids of its fields, where a page has several forms. */
  readonly prefix: string;
  readonly problem: FormProblem | undefined;
}

const FormContext = createContext<FormState>({ prefix: "", problem: undefined });

export interface FormProps {
  readonly action: string;
  /** Of the session that the form is made for; undefined where nobody is signed in. */
  readonly formToken?: string | undefined;
  /** Fields that travel with it, by name. */
  readonly hidden?: Readonly<Record<string, string>>;
  /** It makes something: sent twice, it makes one. */
  readonly isOnce?: boolean;
  /** Tells its fields from those of the page's other forms. */
  readonly name?: string;
  /** Why it was refused: shown beside the field that it is about, else above all. */
  readonly problem?: FormProblem | undefined;
  /** Its fields stand beside each other. */
  readonly isInline?: boolean;
  /** It brings files: its route declares `formFiles` or `formUploads`. */
  readonly hasFiles?: boolean;
  readonly children?: Html;
}

/** A form that posts, its fields below each other. */
export function Form({ action, formToken, hidden = {}, isOnce, name, problem, isInline, hasFiles, children }: FormProps): Html {
  const texts = useTexts(sharedTexts);
  const { forms } = useTexts(sharedTexts);
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
      {problem !== undefined && <Problem text={problem.field === undefined ? sayProblem(texts, problem.message) : forms.refused} />}
      <FormContext.Provider value={{ prefix: name === undefined ? "" : `${name}-`, problem }}>{children}</FormContext.Provider>
    </form>
  );
}

/** What belongs to a control: its id, and the attributes that tie hint and problem to it. */
function useControl(name: string, hint: Html, isInvalid = false) {
  const { prefix, problem } = useContext(FormContext);
  const texts = useTexts(sharedTexts);
  const id = prefix + name;
  const said = problem?.field === name ? sayProblem(texts, problem.message) : undefined;
  const describedBy = [hint !== undefined && `${id}-hint`, said !== undefined && `${id}-problem`].filter((one) => one !== false);
  return {
    id,
    said,
    attributes: {
      id,
      name,
      ...((isInvalid || said !== undefined) && { "aria-invalid": true }),
      ...(describedBy.length > 0 && { "aria-describedby": describedBy.join(" ") }),
    },
  };
}

interface BesideProps {
  readonly id: string;
  readonly hint: Html;
  readonly said: string | undefined;
}

/** What stands below a control: how to fill it in, and what is wrong with what it holds. */
const Beside = ({ id, hint, said }: BesideProps): Html => {
  const Hint = typeof hint === "string" ? "span" : "div";
  return (
    <>
      {hint !== undefined && (
        <Hint class="hint" id={`${id}-hint`}>
          {hint}
        </Hint>
      )}
      {said !== undefined && (
        <span class="wrong" id={`${id}-problem`}>
          {said}
        </span>
      )}
    </>
  );
};

export interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly type?: "text" | "password" | "email" | "url" | "date" | "color";
  readonly value?: string;
  readonly hint?: Html;
  /** An example of what to type: it goes with the first letter, so it tells nothing that is needed. */
  readonly example?: string | undefined;
  /** What a password manager or the system may fill in (HTML, autocomplete). */
  readonly autocomplete: string;
  readonly inputMode?: "numeric";
  readonly isInvalid?: boolean;
  readonly hasFocus?: boolean;
  readonly isOptional?: boolean;
  /** It holds names of people: scripts complete them. */
  readonly holdsNames?: boolean;
}

/** A field with its label, which must be filled in unless it is optional. */
export function Field(props: FieldProps): Html {
  const { name, label, type = "text", value, hint, example, autocomplete, inputMode, isInvalid, hasFocus, isOptional, holdsNames } = props;
  const { id, said, attributes } = useControl(name, hint, isInvalid);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...attributes}
        // Preact types an input by its type, and a union of types fits none of them.
        type={type as "text"}
        {...(type !== "date" && type !== "color" && { maxLength: fieldLength(name) })}
        autocomplete={autocomplete}
        {...(!isOptional && { required: true })}
        {...(value !== undefined && { value })}
        {...(inputMode !== undefined && { inputMode })}
        {...(example !== undefined && { placeholder: example })}
        {...(hasFocus && { autofocus: true })}
        {...(holdsNames && { "data-names": true })}
        // Names and codes are no sentences.
        {...(type === "text" && { autocapitalize: "none", spellcheck: false })}
      />
      <Beside id={id} hint={hint} said={said} />
    </div>
  );
}

export interface TextAreaProps {
  readonly name: string;
  readonly label: string;
  readonly value?: string;
  readonly hint?: Html;
  readonly example?: string | undefined;
  readonly rows: number;
  /** Keys, patterns: what a machine reads. */
  readonly isCode?: boolean;
  /** It is rendered as markdown: scripts show how. */
  readonly isMarkdown?: boolean;
  /** Where files hang that are dropped into it: a path of the interface. */
  readonly attachPath?: string | undefined;
  /** The key that leads to it. */
  readonly shortcut?: string;
}

/** A field for a text of several lines, which may stay empty. */
export function TextArea({ name, label, value = "", hint, example, rows, isCode, isMarkdown, attachPath, shortcut }: TextAreaProps): Html {
  const { id, said, attributes } = useControl(name, hint);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        {...attributes}
        maxLength={fieldLength(name)}
        rows={rows}
        value={value}
        {...(example !== undefined && { placeholder: example })}
        {...(isCode && { class: "code", spellcheck: false })}
        {...(isMarkdown && { "data-markdown": true, dir: "auto" })}
        {...(attachPath !== undefined && { "data-attach": attachPath })}
        {...(shortcut !== undefined && { "data-key": shortcut })}
      />
      <Beside id={id} hint={hint} said={said} />
    </div>
  );
}

export interface FileFieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string | undefined;
  /** Types that are offered, as `image/png,image/jpeg`; all unless given. */
  readonly accept?: string;
  readonly isMultiple?: boolean;
  readonly isOptional?: boolean;
  /** What they may hold in all, in bytes: scripts say early what is too much. */
  readonly maxBytes?: number;
  /** The same for each of them. */
  readonly maxBytesEach?: number;
}

/** Files of the reader's own, of a form that `hasFiles`. */
export function FileField({ name, label, hint, accept, isMultiple, isOptional, maxBytes, maxBytesEach }: FileFieldProps): Html {
  const { id, said, attributes } = useControl(name, hint);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...attributes}
        type="file"
        {...(!isOptional && { required: true })}
        {...(accept !== undefined && { accept })}
        {...(isMultiple && { multiple: true })}
        {...(maxBytes !== undefined && { "data-max-bytes": maxBytes })}
        {...(maxBytesEach !== undefined && { "data-max-bytes-each": maxBytesEach })}
      />
      <Beside id={id} hint={hint} said={said} />
    </div>
  );
}

export interface OptionalFieldProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly hint?: string | undefined;
  /** What the browser offers while somebody types; all else can be typed too. */
  readonly suggestions?: readonly string[];
}

/** A field of one line that may stay empty. */
export function OptionalField({ name, label, value, hint, suggestions }: OptionalFieldProps): Html {
  const { id, said, attributes } = useControl(name, hint);
  const listId = suggestions === undefined ? undefined : `${id}-offered`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input {...attributes} maxLength={fieldLength(name)} value={value} type="text" autocomplete="off" list={listId} />
      {suggestions !== undefined && (
        <datalist id={listId}>
          {suggestions.map((one) => (
            <option value={one} />
          ))}
        </datalist>
      )}
      <Beside id={id} hint={hint} said={said} />
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

/** One of several. */
export function Choice({ name, label, value, options, hint }: ChoiceProps): Html {
  const { id, said, attributes } = useControl(name, hint);
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
      <Beside id={id} hint={hint} said={said} />
    </div>
  );
}

export interface CheckBoxProps {
  readonly name: string;
  readonly label: string;
  readonly isChecked: boolean;
  readonly hint?: string | undefined;
}

/** Yes or no; `true` travels with the form where it is checked. */
export function CheckBox({ name, label, isChecked, hint }: CheckBoxProps): Html {
  const { id, said, attributes } = useControl(name, hint);
  return (
    <div class="check">
      <input {...attributes} type="checkbox" value="true" checked={isChecked} />
      <div>
        <label for={id}>{label}</label>
        <Beside id={id} hint={hint} said={said} />
      </div>
    </div>
  );
}

export interface GroupProps {
  readonly legend: string;
  readonly hint?: string | undefined;
  readonly children?: Html;
}

/** Fields that belong together. */
export const Group = ({ legend, hint, children }: GroupProps): Html => (
  <fieldset>
    <legend>{legend}</legend>
    {hint !== undefined && <p class="hint">{hint}</p>}
    {children}
  </fieldset>
);

/** Sends the form. */
export const Submit = ({ label, isDanger }: { readonly label: string; readonly isDanger?: boolean }): Html => (
  <div>
    <button class={isDanger ? "danger" : "primary"} type="submit">
      {label}
    </button>
  </div>
);

/** What went wrong and what to do about it; read out at once. */
export function Problem({ text }: { readonly text: string }): Html {
  return (
    <p class="notice bad" role="alert">
      {text}
    </p>
  );
}

/** The same for a button that was refused: what it did has no field to say it beside. */
export const Refusal = ({ message }: { readonly message: string }): Html => <Problem text={sayProblem(useTexts(sharedTexts), message)} />;
