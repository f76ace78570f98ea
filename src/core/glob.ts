import { RE2JS } from "re2js";
import { integerRange } from "./integer-range.ts";

/** A user-written pattern for names and paths. Matching takes linear time for every pattern. */
export interface Glob {
  /** Whether the pattern matches the whole text. */
  matches(text: string): boolean;
  /** Its regular expression (RE2). */
  readonly source: string;
  readonly ignoresCase: boolean;
}

/**
 * `gobwas`: the patterns of Gitea, https://github.com/gobwas/glob. `*` matches any characters within a segment, `**` any characters, `?` one
 * character within a segment, `[a-z]`, `[!a-z]` and `[^a-z]` one of a set, `{a,b}` an alternative; `\` escapes the next character.
 * `editorconfig`: https://spec.editorconfig.org. Adds `{1..9}`; only `!` negates a set; incomplete sets and braces are literal, also braces
 * without a comma.
 */
export type GlobSyntax = "gobwas" | "editorconfig";

export interface GlobOptions {
  readonly syntax?: GlobSyntax;
  /** Characters that `*`, `?` and sets do not match. */
  readonly separators: string;
  readonly ignoresCase?: boolean;
}

/** An editorconfig pattern has up to 1,024 characters, and a prefix. */
const maxLength: Readonly<Record<GlobSyntax, number>> = { gobwas: 1_000, editorconfig: 1_100 };

/** @returns undefined for an invalid pattern: in `gobwas` one with an unclosed bracket, and any that is too long */
export function parseGlob(pattern: string, { syntax = "gobwas", separators, ignoresCase = false }: GlobOptions): Glob | undefined {
  if (pattern.length > maxLength[syntax]) return undefined;
  const characters = [...(ignoresCase ? pattern.toLowerCase() : pattern)];
  const source = toExpression({ characters, syntax, separators: [...separators] });
  if (source === undefined) return undefined;
  const matcher = lazyMatcher([source], ignoresCase);
  return { source, ignoresCase, matches: matcher };
}

/** Whether a string has no pattern characters. */
export const isPlainText = (text: string): boolean => !/[*?[\]{}\\]/.test(text);

/** Larger groups are compiled apart, so that the memory of each automaton stays bounded. */
const maxGroupLength = 32_768;

/** One matcher for any of some patterns with the same case rule. A thousand patterns are matched in the time of a few. */
export function matchAny(globs: readonly Glob[]): (text: string) => boolean {
  const groups: string[][] = [[]];
  let length = 0;
  for (const { source } of globs) {
    length += source.length;
    if (length > maxGroupLength) {
      groups.push([]);
      length = source.length;
    }
    groups.at(-1)?.push(source);
  }
  const matchers = groups.filter((group) => group.length > 0).map((group) => lazyMatcher(group, globs[0]?.ignoresCase === true));
  return (text) => matchers.some((matches) => matches(text));
}

/** Compiles when it is first used: many patterns are only validated. */
function lazyMatcher(sources: readonly string[], ignoresCase: boolean): (text: string) => boolean {
  let compiled: RE2JS | undefined;
  return (text) => {
    compiled ??= RE2JS.compile(sources.map((source) => `(?:${source})`).join("|"), RE2JS.DOTALL);
    return compiled.testExact(ignoresCase ? text.toLowerCase() : text);
  };
}

interface Source {
  readonly characters: readonly string[];
  readonly syntax: GlobSyntax;
  readonly separators: readonly string[];
}

function toExpression(source: Source): string | undefined {
  const { characters, syntax, separators } = source;
  const isStrict = syntax === "gobwas";
  const choices = findChoices(source);
  if (choices === undefined) return undefined;
  const within = separators.length === 0 ? "." : `[^${separators.map(inSet).join("")}]`;
  let expression = "";
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] as string;
    const choice = choices.get(at);
    if (choice !== undefined) expression += choice;
    else if (character === "\\" && (isStrict || at + 1 < characters.length)) {
      at += 1;
      const escaped = characters[at];
      if (escaped === undefined) return undefined;
      expression += literal(escaped);
    } else if (character === "*") {
      const start = at;
      while (characters[at + 1] === "*" && (isStrict || at === start)) at += 1;
      expression += at > start ? ".*" : `${within}*`;
    } else if (character === "?") expression += within;
    else if (character === "[") {
      const end = endOfSet(source, at);
      const set = end === undefined ? undefined : toSet(source, characters.slice(at + 1, end));
      if (set === undefined && isStrict) return undefined;
      expression += set ?? literal(character);
      if (set !== undefined && end !== undefined) at = end;
    } else {
      const numbers = isStrict || character !== "{" ? undefined : readNumbers(characters, at);
      expression += numbers?.expression ?? literal(character);
      if (numbers !== undefined) at = numbers.end;
    }
  }
  return expression;
}

const literal = (character: string): string => (/[\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e]/.test(character) ? `\\${character}` : character);
const inSet = (character: string): string => (/[\\\]^[-]/.test(character) ? `\\${character}` : character);

/**
 * The expressions of the braces and commas that form alternatives, by position; all others are literal. One pass, also for a thousand open
 * braces. Undefined if a brace is not closed, or not open, in a syntax that does not allow it.
 */
function findChoices(source: Source): ReadonlyMap<number, string> | undefined {
  const { characters, syntax } = source;
  const isStrict = syntax === "gobwas";
  const choices = new Map<number, string>();
  const open: { readonly at: number; readonly commas: number[] }[] = [];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at];
    if (character === "\\") at += 1;
    else if (character === "[") at = endOfSet(source, at) ?? at;
    else if (character === "{") open.push({ at, commas: [] });
    else if (character === ",") open.at(-1)?.commas.push(at);
    else if (character === "}") {
      const brace = open.pop();
      if (brace === undefined && isStrict) return undefined;
      if (brace === undefined || (brace.commas.length === 0 && !isStrict)) continue;
      choices.set(brace.at, "(?:").set(at, ")");
      for (const comma of brace.commas) choices.set(comma, "|");
    }
  }
  return isStrict && open.length > 0 ? undefined : choices;
}

/** The position of the closing bracket; undefined if there is none, and in editorconfig if the set contains a slash. */
function endOfSet({ characters, syntax }: Source, start: number): number | undefined {
  const first = syntax === "gobwas" ? start + 1 : start + (characters[start + 1] === "!" ? 3 : 2);
  const end = characters.indexOf("]", first);
  return end < 0 || (syntax === "editorconfig" && characters.slice(start, end).includes("/")) ? undefined : end;
}

/** A set without separators; undefined if it is empty or has a reversed range. */
function toSet({ separators, syntax }: Source, characters: readonly string[]): string | undefined {
  const isNegated = characters[0] === "!" || (syntax === "gobwas" && characters[0] === "^");
  const listed = isNegated ? characters.slice(1) : characters;
  const ranges: [number, number][] = [];
  for (let at = 0; at < listed.length; at += 1) {
    const from = codeOf(listed[at]);
    const to = listed[at + 1] === "-" && at + 2 < listed.length ? codeOf(listed[at + 2]) : undefined;
    if (to !== undefined && to < from && syntax === "gobwas") return undefined;
    if (to === undefined || to >= from) ranges.push([from, to ?? from]);
    if (to !== undefined) at += 2;
  }
  if (listed.length === 0) return undefined;
  const codes = separators.map(codeOf);
  const kept = isNegated ? [...ranges, ...codes.map((code): [number, number] => [code, code])] : codes.reduce(without, ranges);
  if (kept.length === 0) return isNegated ? "." : nothing;
  return `[${isNegated ? "^" : ""}${kept.map(([from, to]) => `${inSet(String.fromCodePoint(from))}-${inSet(String.fromCodePoint(to))}`).join("")}]`;
}

/** Matches no character. */
const nothing = "[^\\x{0}-\\x{10FFFF}]";
const codeOf = (character: string | undefined): number => character?.codePointAt(0) ?? 0;

const without = (ranges: readonly [number, number][], code: number): [number, number][] =>
  ranges.flatMap(([from, to]): [number, number][] => {
    if (code < from || code > to) return [[from, to]];
    const parts: [number, number][] = [
      [from, code - 1],
      [code + 1, to],
    ];
    return parts.filter(([low, high]) => low <= high);
  });

/** `{1..9}`. */
function readNumbers(characters: readonly string[], start: number): { readonly expression: string; readonly end: number } | undefined {
  const numbers = /^\{([+-]?\d{1,18})\.\.([+-]?\d{1,18})\}/.exec(characters.slice(start, start + 48).join(""));
  if (numbers === null) return undefined;
  const [whole, a = "0", b = "0"] = numbers;
  return { expression: integerRange(BigInt(a.replace("+", "")), BigInt(b.replace("+", ""))), end: start + whole.length - 1 };
}
