import type { FormField } from "./template.ts";
import { isMapping } from "./yaml.ts";

/** What somebody filled into a form, by the ids of its fields. */
export interface FormAnswers {
  readonly texts: Readonly<Record<string, string>>;
  /** Of fields with several choices, by their places. */
  readonly ticks: Readonly<Record<string, readonly number[]>>;
}

export const noAnswers: FormAnswers = { texts: {}, ticks: {} };

export interface FormChoice {
  readonly label: string;
  readonly isRequired: boolean;
}

const textAt = ({ attributes }: FormField, name: string): string => {
  const value = attributes?.[name];
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
};

/** What a field is, as far as people who fill it in need to know. */
export const labelOf = (field: FormField): string => textAt(field, "label");
export const hintOf = (field: FormField): string => textAt(field, "description");
export const presetOf = (field: FormField): string => textAt(field, "value");
export const isRequired = ({ validations }: FormField): boolean => validations?.required === true;
/** The language of a text that stands as code; empty for prose. */
export const codeOf = (field: FormField): string => textAt(field, "render").replace(/[^\w+-]/g, "");
/** Whether several of its choices may be ticked. */
export const takesSeveral = (field: FormField): boolean => field.type === "checkboxes" || (field.type === "dropdown" && field.attributes?.multiple === true);

export function choicesOf({ attributes }: FormField): readonly FormChoice[] {
  const options: unknown = attributes?.options;
  if (!Array.isArray(options)) return [];
  return options.map((option: unknown) =>
    isMapping(option) ? { label: String(option.label ?? ""), isRequired: option.required === true } : { label: String(option), isRequired: false },
  );
}

const ticked = (field: FormField, { ticks }: FormAnswers): readonly number[] => (Object.hasOwn(ticks, field.id) ? (ticks[field.id] ?? []) : []);
const typed = (field: FormField, { texts }: FormAnswers): string =>
  (Object.hasOwn(texts, field.id) ? (texts[field.id] ?? "") : "").replaceAll("\r\n", "\n").trim();

/** The first field that has to be filled in and is not, by its id. */
export function findMissing(fields: readonly FormField[], answers: FormAnswers): string | undefined {
  return fields.find((field) => {
    if (field.type === "markdown" || !field.visible.includes("form")) return false;
    const missesTick = field.type === "checkboxes" && choicesOf(field).some((choice, at) => choice.isRequired && !ticked(field, answers).includes(at));
    const isEmpty = takesSeveral(field) ? ticked(field, answers).length === 0 : typed(field, answers) === "";
    return missesTick || (isRequired(field) && isEmpty);
  })?.id;
}

/** @compat what programs that read such issues look for, where nothing was answered */
const noResponse = "_No response_";

/** The text of the issue that a filled-in form makes: a heading for each field, and what was answered. */
export const composeContent = (fields: readonly FormField[], answers: FormAnswers): string =>
  fields
    .filter(({ visible }) => visible.includes("content"))
    .map((field) => (field.type === "markdown" ? presetOf(field) : `### ${labelOf(field)}\n\n${answerOf(field, answers)}`))
    .join("\n\n");

function answerOf(field: FormField, answers: FormAnswers): string {
  if (field.type === "checkboxes") {
    return choicesOf(field)
      .map(({ label }, at) => `- [${ticked(field, answers).includes(at) ? "x" : " "}] ${label}`)
      .join("\n");
  }
  if (takesSeveral(field)) {
    const chosen = choicesOf(field).flatMap(({ label }, at) => (ticked(field, answers).includes(at) ? label : []));
    return chosen.length === 0 ? noResponse : chosen.join(", ");
  }
  const text = typed(field, answers);
  if (text === "") return noResponse;
  const isKnown = field.type !== "dropdown" || choicesOf(field).some(({ label }) => label === text);
  if (!isKnown) return noResponse;
  const language = codeOf(field);
  return field.type === "textarea" && language !== "" ? fenced(text, language) : text;
}

/** A fence longer than any in the text. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
