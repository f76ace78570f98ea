import { data, Evaluator, Lexer, Parser } from "@actions/expressions";
import type { FunctionDefinition } from "@actions/expressions/funcs/info";
import type { JobResult } from "./workflow.ts";

type Value = data.ExpressionData;

/** Everything that an expression can refer to. */
export interface Scope {
  /** By name: `github`, `needs` and so on. */
  readonly contexts: Readonly<Record<string, unknown>>;
  /** Results of the needed jobs, for `success()` and `failure()`; undefined where these functions do not exist. */
  readonly results?: readonly JobResult[];
}

const toValue = (value: unknown): Value => JSON.parse(JSON.stringify(value ?? null), data.reviver) as Value;
const toPlain = (value: Value): unknown => JSON.parse(JSON.stringify(value, data.replacer));

const statusNames = ["success", "failure", "cancelled", "always"] as const;

/** The functions that report the state of the needed jobs. */
function statusFunctions(results: readonly JobResult[]): Map<string, FunctionDefinition> {
  const tests: Record<(typeof statusNames)[number], boolean> = {
    success: results.every((result) => result === "success"),
    failure: results.includes("failure"),
    cancelled: results.includes("cancelled"),
    always: true,
  };
  return new Map(statusNames.map((name) => [name, { name, minArgs: 0, maxArgs: 100, call: () => new data.BooleanData(tests[name]) }]));
}

/** @throws Error for an invalid expression */
function evaluate(text: string, { contexts, results }: Scope): Value {
  const functions = results === undefined ? new Map<string, FunctionDefinition>() : statusFunctions(results);
  const names = Object.keys(contexts);
  const parsed = new Parser(new Lexer(text).lex().tokens, names, [...functions.values()]).parse();
  const values = new data.Dictionary(...names.map((key) => ({ key, value: toValue(contexts[key]) })));
  return new Evaluator(parsed, values, functions).evaluate();
}

/** Texts and expressions of a string in turn: those at odd positions are expressions. @throws Error for an unclosed expression */
export function splitExpressions(text: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (let start = text.indexOf("${{"); start >= 0; start = text.indexOf("${{", from)) {
    const end = endOf(text, start + 3);
    if (end < 0) throw new Error(`the expression that begins with ${JSON.stringify(text.slice(start, start + 40))} has no end`);
    parts.push(text.slice(from, start), text.slice(start + 3, end));
    from = end + 2;
  }
  return [...parts, text.slice(from)];
}

/** The position of the closing braces outside of strings. */
function endOf(text: string, from: number): number {
  let isQuoted = false;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "'") isQuoted = !isQuoted;
    else if (!isQuoted && text.startsWith("}}", at)) return at;
  }
  return -1;
}

/** Evaluates the expressions in a string: a value of any type if it consists of one expression, otherwise a string. */
export function evaluateText(text: string, scope: Scope): unknown {
  if (!text.includes("${{")) return text;
  const parts = splitExpressions(text);
  if (parts.length === 3 && parts[0]?.trim() === "" && parts[2]?.trim() === "") return toPlain(evaluate(parts[1] ?? "", scope));
  return parts.map((part, at) => (at % 2 === 0 ? part : evaluate(part, scope).coerceString())).join("");
}

/** Evaluates the expressions in all strings of a value. */
export function evaluateAll(value: unknown, scope: Scope): unknown {
  if (typeof value === "string") return evaluateText(value, scope);
  if (Array.isArray(value)) return value.map((one) => evaluateAll(one, scope));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, evaluateAll(one, scope)]));
}

const mentionsStatus = /(?<![\w.-])(success|failure|cancelled|always)\s*\(/i;

/** Evaluates a condition of a job. Without a function for the state of its needs, it also requires that they succeeded. */
export function isMet(condition: unknown, scope: Scope & { readonly results: readonly JobResult[] }): boolean {
  const text = String(condition ?? "").trim();
  const hasSucceeded = scope.results.every((result) => result === "success");
  if (text === "") return hasSucceeded;
  const isMarked = text.startsWith("${{");
  const inner = isMarked ? text : `\${{ ${text} }}`;
  const withoutStrings = text.replaceAll(/'(?:[^']|'')*'/g, "''");
  if (!mentionsStatus.test(withoutStrings) && !hasSucceeded) return false;
  const value = evaluateText(inner, scope);
  return isTruthy(value);
}

/** Numbers other than 0, non-empty strings, true, lists and maps, as GitHub documents it. */
const isTruthy = (value: unknown): boolean => value !== null && value !== false && value !== 0 && value !== "" && !Number.isNaN(value);

/** Whether a value contains an expression that refers to a context. */
export function refersTo(value: unknown, context: string): boolean {
  if (typeof value === "string") return value.includes("${{") && new RegExp(`(?<![\\w.-])${context}(?![\\w-])`).test(value);
  if (value === null || typeof value !== "object") return false;
  return Object.values(value).some((one) => refersTo(one, context));
}
