import { splitExpressions } from "./expressions.ts";

type Fields = Readonly<Record<string, unknown>>;

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** A value as a literal of the expression language. */
function literalOf(value: unknown): string {
  if (value === undefined || value === null) return "null";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value === "string" && !/[\x00-\x1f]/.test(value)) return quote(value);
  return `fromJSON(${quote(JSON.stringify(value))})`;
}

const references = /'(?:[^']|'')*'|(?<![\w.-])inputs(?:\.([\w-]+)|\[\s*'((?:[^']|'')*)'\s*\])?(?![\w-])/g;

const replaceIn = (expression: string, inputs: Fields): string =>
  expression.replaceAll(references, (found: string, dotted: string | undefined, indexed: string | undefined) => {
    if (found.startsWith("'")) return found;
    const name = dotted ?? indexed?.replaceAll("''", "'");
    return literalOf(name === undefined ? inputs : inputs[name]);
  });

/** Replaces references to inputs by their values: in expressions, and in conditions, which are expressions without marks. */
export function withInputs(value: unknown, inputs: unknown): unknown {
  const known = (inputs ?? {}) as Fields;
  return Object.keys(known).length === 0 ? value : replaceAll(value, known, false);
}

function replaceAll(value: unknown, inputs: Fields, isCondition: boolean): unknown {
  if (typeof value === "string") {
    if (isCondition && !value.includes("${{")) return replaceIn(value, inputs);
    if (!value.includes("${{")) return value;
    return splitExpressions(value)
      .map((part, at) => (at % 2 === 0 ? part : `\${{${replaceIn(part, inputs)}}}`))
      .join("");
  }
  if (Array.isArray(value)) return value.map((one) => replaceAll(one, inputs, false));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, replaceAll(one, inputs, name === "if")]));
}
