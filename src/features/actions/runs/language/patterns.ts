import { RE2JS } from "re2js";

/**
 * Patterns of branches, tags and paths in workflow files: `*` matches within a segment, `**` across segments, `?` and `+` repeat the
 * character before them, `[]` is a set, and `!` at the beginning excludes what earlier patterns included.
 */
export interface Pattern {
  readonly isNegative: boolean;
  matches(text: string): boolean;
}

const maxPatternLength = 500;

/** @returns undefined for an invalid pattern, which matches nothing */
export function parsePattern(given: string): Pattern | undefined {
  const isNegative = given.startsWith("!");
  const text = isNegative ? given.slice(1) : given;
  if (text === "" || text.length > maxPatternLength) return undefined;
  try {
    // Evaluated in linear time, because users write the patterns.
    const compiled = RE2JS.compile(`^(?:${toExpression(text)})$`, RE2JS.DOTALL);
    return { isNegative, matches: (tested) => compiled.matches(tested) };
  } catch {
    return undefined;
  }
}

function toExpression(text: string): string {
  let expression = "";
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? "";
    if (text.startsWith("**/", at)) {
      expression += "(?:.*/)?";
      at += 2;
    } else if (text.startsWith("**", at)) {
      expression += ".*";
      at += 1;
    } else if (sign === "*") expression += "[^/]*";
    else if (sign === "?" || sign === "+") expression += sign;
    else if (sign === "[") {
      const end = text.indexOf("]", at + 1);
      if (end < 0) throw new Error("the set has no end");
      expression += `[${text.slice(at + 1, end).replaceAll(/[\\^[]/g, "\\$&")}]`;
      at = end;
    } else if (sign === "\\" && at + 1 < text.length) {
      at += 1;
      expression += quote(text[at] ?? "");
    } else expression += quote(sign);
  }
  return expression;
}

const quote = (sign: string): string => (/[\w/]/.test(sign) || sign > "\x7f" ? sign : `\\${sign}`);

/** Whether patterns select a text: the last one that matches decides. */
export function isSelected(patterns: readonly string[], text: string): boolean {
  let isIncluded = false;
  for (const pattern of patterns.map(parsePattern)) if (pattern?.matches(text)) isIncluded = !pattern.isNegative;
  return isIncluded;
}

/** Selected by a list of patterns, if there is one, and by none of a list of ignored ones. */
export const passes = (selected: readonly string[] | undefined, ignored: readonly string[] | undefined, text: string): boolean =>
  (selected === undefined || isSelected(selected, text)) && (ignored === undefined || !isSelected(ignored, text));

/** Whether at least one changed path passes. */
export const anyPasses = (selected: readonly string[] | undefined, ignored: readonly string[] | undefined, paths: readonly string[]): boolean =>
  paths.some((path) => passes(selected, ignored, path));
