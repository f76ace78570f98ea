import { h } from "preact";
import type { Html } from "./html.ts";
import { FormToken } from "./page.ts";

export interface FormFacts {
  readonly action: string;
  /** Of the session that the form is made for; undefined where nobody is signed in. */
  readonly formToken?: string | undefined;
  /** Fields that travel with it, by name. */
  readonly hidden?: Readonly<Record<string, string>>;
  readonly children?: Html;
}

/** A form that posts, its fields below each other. */
export function Form({ action, formToken, hidden = {}, children }: FormFacts): Html {
  return h(
    "form",
    { class: "stack", method: "post", action },
    formToken !== undefined && h(FormToken, { value: formToken }),
    Object.entries(hidden).map(([name, value]) => h("input", { type: "hidden", name, value })),
    children,
  );
}

export interface FieldFacts {
  readonly name: string;
  readonly label: string;
  readonly type?: "text" | "password";
  readonly value?: string;
  readonly hint?: string;
  /** What a password manager or the system may fill in (HTML, autocomplete). */
  readonly autocomplete: string;
  readonly inputMode?: "numeric";
  readonly isInvalid?: boolean;
  readonly hasFocus?: boolean;
}

/** A field with its label, which must be filled in. */
export function Field({ name, label, type = "text", value, hint, autocomplete, inputMode, isInvalid, hasFocus }: FieldFacts): Html {
  const hintId = `${name}-hint`;
  return h(
    "div",
    { class: "field" },
    h("label", { for: name }, label),
    h("input", {
      id: name,
      name,
      type,
      autocomplete,
      required: true,
      ...(value !== undefined && { value }),
      ...(inputMode !== undefined && { inputMode }),
      ...(isInvalid && { "aria-invalid": "true" }),
      ...(hint !== undefined && { "aria-describedby": hintId }),
      ...(hasFocus && { autofocus: true }),
      // Names and codes are no sentences.
      ...(type === "text" && { autocapitalize: "none", spellcheck: false }),
    }),
    hint !== undefined && h("span", { class: "hint", id: hintId }, hint),
  );
}

export interface TextAreaFacts {
  readonly name: string;
  readonly label: string;
  readonly value?: string;
  readonly hint?: string;
  readonly rows: number;
}

/** A field for a text of several lines, which may stay empty. */
export function TextArea({ name, label, value = "", hint, rows }: TextAreaFacts): Html {
  const hintId = `${name}-hint`;
  return h(
    "div",
    { class: "field" },
    h("label", { for: name }, label),
    h("textarea", { id: name, name, rows, value, ...(hint !== undefined && { "aria-describedby": hintId }) }),
    hint !== undefined && h("span", { class: "hint", id: hintId }, hint),
  );
}

export interface OptionalFieldFacts {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly hint?: string;
}

/** A field of one line that may stay empty. */
export function OptionalField({ name, label, value, hint }: OptionalFieldFacts): Html {
  const hintId = `${name}-hint`;
  return h(
    "div",
    { class: "field" },
    h("label", { for: name }, label),
    h("input", { id: name, name, value, type: "text", autocomplete: "off", ...(hint !== undefined && { "aria-describedby": hintId }) }),
    hint !== undefined && h("span", { class: "hint", id: hintId }, hint),
  );
}

export interface ChoiceFacts {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
}

/** One of several. */
export const Choice = ({ name, label, value, options }: ChoiceFacts): Html =>
  h(
    "div",
    { class: "field" },
    h("label", { for: name }, label),
    h(
      "select",
      { id: name, name },
      options.map(([option, text]) => h("option", { value: option, selected: option === value }, text)),
    ),
  );

export interface CheckBoxFacts {
  readonly name: string;
  readonly label: string;
  readonly isChecked: boolean;
}

/** Yes or no; `true` travels with the form where it is checked. */
export const CheckBox = ({ name, label, isChecked }: CheckBoxFacts): Html =>
  h("label", { class: "check" }, h("input", { type: "checkbox", name, value: "true", checked: isChecked }), " ", label);

/** What went wrong and what to do about it; read out at once. */
export function Problem({ text }: { readonly text: string }): Html {
  return h("p", { class: "notice bad", role: "alert" }, text);
}
