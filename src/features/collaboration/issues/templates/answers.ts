import { setImmediate } from "node:timers/promises";
import { expressionSize, maxExpressionSize } from "../../../../core/expression-size.ts";
import type { FormField } from "./template.ts";
import { isMapping } from "./yaml.ts";

/** Answers to a form, by field id. */
export interface FormAnswers {
  readonly texts: Readonly<Record<string, string>>;
  /** For fields with several choices: the selected positions. */
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

export const labelOf = (field: FormField): string => textAt(field, "label");
export const hintOf = (field: FormField): string => textAt(field, "description");
/** Default value: a text, or the choice at a position. */
export const presetOf = (field: FormField): string =>
  field.type === "dropdown" ? (choicesOf(field)[Number(textAt(field, "default") || -1)]?.label ?? "") : textAt(field, "value");
export const exampleOf = (field: FormField): string => textAt(field, "placeholder");
export const isRequired = ({ validations }: FormField): boolean => validations?.required === true;
/** Language for an answer rendered as code; empty for prose. */
export const codeOf = (field: FormField): string => textAt(field, "render").replace(/[^\w+-]/g, "");
/** Whether several choices can be selected. */
export const takesSeveral = (field: FormField): boolean => field.type === "checkboxes" || (field.type === "dropdown" && field.attributes?.multiple === true);

export function choicesOf({ attributes }: FormField): readonly FormChoice[] {
  const options: unknown = attributes?.options;
  if (!Array.isArray(options)) return [];
  return options.map((option: unknown) =>
    isMapping(option) ? { label: String(option.label ?? ""), isRequired: option.required === true } : { label: String(option), isRequired: false },
  );
}

/** Markdown texts of the form: between questions, descriptions, and checkbox labels. */
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
  /** Id of the field. */
  readonly id: string;
  readonly reason: "choice_required" | "not_a_number" | "required" | "wrong_format";
}

/** The first field with an invalid answer. */
export async function findWrong(fields: readonly FormField[], answers: FormAnswers): Promise<WrongAnswer | undefined> {
  for (const field of fields) {
    const reason = await wrongWith(field, answers);
    if (reason !== undefined) return { id: field.id, reason };
  }
  return undefined;
}

async function wrongWith(field: FormField, answers: FormAnswers): Promise<WrongAnswer["reason"] | undefined> {
  if (field.type === "markdown" || !field.visible.includes("form")) return undefined;
  const missesTick = field.type === "checkboxes" && choicesOf(field).some((choice, at) => choice.isRequired && !ticked(field, answers).includes(at));
  const text = typed(field, answers);
  const isEmpty = takesSeveral(field) ? ticked(field, answers).length === 0 : text === "";
  if (missesTick || (isRequired(field) && isEmpty)) return takesSeveral(field) ? "choice_required" : "required";
  if (field.type !== "input" || isEmpty) return undefined;
  if (field.validations?.is_number === true && !isNumber(text)) return "not_a_number";
  return (await fitsPattern(field, text)) ? undefined : "wrong_format";
}

/** As browsers parse a number (HTML, valid floating-point number). */
const isNumber = (text: string): boolean => /^-?(?:\d+(?:\.\d+)?|\.\d+)(?:e[-+]?\d+)?$/i.test(text);

const maxExpression = 200;
/** Pattern states times answer characters: about 25 ms at worst. A longer answer does not match. */
const maxSteps = 100_000;

/**
 * Whether the whole answer matches the field's regular expression (RE2, linear time). An invalid expression matches everything:
 * otherwise the form could never be submitted. The library is loaded on first use: few forms have an expression.
 */
async function fitsPattern({ validations }: FormField, text: string): Promise<boolean> {
  const source = validations?.regex;
  if (typeof source !== "string" || source === "" || source.length > maxExpression || expressionSize(source) > maxExpressionSize) return true;
  const { RE2JS } = await import("re2js");
  // Yields to the event loop between fields.
  await setImmediate();
  try {
    const expression = RE2JS.compile(source);
    return expression.programSize() * text.length <= maxSteps && expression.testExact(text);
  } catch {
    return true;
  }
}

/** @compat programs that read such issues look for this text in unanswered fields (templates/answers.test.ts) */
const noResponse = "_No response_";

/** The issue text of a filled-in form: a heading and the answer for each field. */
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
