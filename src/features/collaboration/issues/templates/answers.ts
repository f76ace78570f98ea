import { setImmediate } from "node:timers/promises";
import { expressionSize, maxExpressionSize } from "../../../../core/expression-size.ts";
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
/** What stands in it before anything is typed: a text, or the choice at a place. */
export const presetOf = (field: FormField): string =>
  field.type === "dropdown" ? (choicesOf(field)[Number(textAt(field, "default") || -1)]?.label ?? "") : textAt(field, "value");
/** An example of what to type. */
export const exampleOf = (field: FormField): string => textAt(field, "placeholder");
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

/** What the form says in Markdown: between its questions, about them, and beside what is ticked. */
export const explanationsOf = (fields: readonly FormField[]): readonly string[] =>
  fields.flatMap((field) => {
    if (field.type === "markdown") return presetOf(field);
    const labels = field.type === "checkboxes" ? choicesOf(field).map(({ label }) => label) : [];
    return [hintOf(field), ...labels].filter((text) => text !== "");
  });

const ticked = (field: FormField, { ticks }: FormAnswers): readonly number[] => (Object.hasOwn(ticks, field.id) ? (ticks[field.id] ?? []) : []);
const typed = (field: FormField, { texts }: FormAnswers): string =>
  (Object.hasOwn(texts, field.id) ? (texts[field.id] ?? "") : "").replaceAll("\r\n", "\n").trim();

export interface WrongAnswer {
  /** Of the field. */
  readonly id: string;
  readonly why: "missing" | "no number" | "not as wanted";
}

/** The first field whose answer is not what the form asks for. */
export async function findWrong(fields: readonly FormField[], answers: FormAnswers): Promise<WrongAnswer | undefined> {
  for (const field of fields) {
    const why = await wrongWith(field, answers);
    if (why !== undefined) return { id: field.id, why };
  }
  return undefined;
}

async function wrongWith(field: FormField, answers: FormAnswers): Promise<WrongAnswer["why"] | undefined> {
  if (field.type === "markdown" || !field.visible.includes("form")) return undefined;
  const missesTick = field.type === "checkboxes" && choicesOf(field).some((choice, at) => choice.isRequired && !ticked(field, answers).includes(at));
  const text = typed(field, answers);
  const isEmpty = takesSeveral(field) ? ticked(field, answers).length === 0 : text === "";
  if (missesTick || (isRequired(field) && isEmpty)) return "missing";
  if (field.type !== "input" || isEmpty) return undefined;
  if (field.validations?.is_number === true && !isNumber(text)) return "no number";
  return (await fitsPattern(field, text)) ? undefined : "not as wanted";
}

/** As browsers read a number (HTML, valid floating-point number). */
const isNumber = (text: string): boolean => /^-?(?:\d+(?:\.\d+)?|\.\d+)(?:e[-+]?\d+)?$/i.test(text);

const maxExpression = 200;
/** States of the expression times characters of the answer: some 25 ms at worst. A longer answer does not fit. */
const maxSteps = 100_000;

/**
 * Whether the whole answer fits the field's regular expression (RE2's, matched in linear time). One that cannot be read asks for nothing:
 * nobody could send the form any more. The library is loaded where a form has an expression: few do.
 */
async function fitsPattern({ validations }: FormField, text: string): Promise<boolean> {
  const source = validations?.regex;
  if (typeof source !== "string" || source === "" || source.length > maxExpression || expressionSize(source) > maxExpressionSize) return true;
  const { RE2JS } = await import("re2js");
  // Between two fields the server does other things.
  await setImmediate();
  try {
    const expression = RE2JS.compile(source);
    return expression.programSize() * text.length <= maxSteps && expression.testExact(text);
  } catch {
    return true;
  }
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
