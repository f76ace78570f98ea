/**
 * User-written patterns for names and paths: `*` matches any characters within a segment, `**` any characters, `?` one character within a
 * segment, `[a-z]` and `[!a-z]` one of a set, `{a,b}` an alternative; `\` escapes the next character. Matching takes at most time
 * proportional to the product of both lengths, for every pattern.
 */
export interface Glob {
  matches(text: string): boolean;
}

export interface GlobOptions {
  /** Characters that `*`, `?` and sets do not match. */
  readonly separators: string;
  readonly ignoresCase?: boolean;
}

type Token =
  | { readonly kind: "one"; readonly takes: (character: string) => boolean }
  | { readonly kind: "many"; readonly takes: (character: string) => boolean };

const maxLength = 1_000;
/** Maximum number of alternatives after expanding `{a,b}{c,d}` and so on. */
const maxAlternatives = 64;

/** @returns undefined for an invalid pattern: an unclosed bracket, or too many alternatives */
export function parseGlob(pattern: string, { separators, ignoresCase = false }: GlobOptions): Glob | undefined {
  const fold = (text: string): string => (ignoresCase ? text.toLowerCase() : text);
  if (pattern.length > maxLength) return undefined;
  const alternatives = expandBraces(fold(pattern));
  const parsed = alternatives?.map((alternative) => tokensOf(alternative, separators));
  if (parsed === undefined || parsed.some((tokens) => tokens === undefined)) return undefined;
  return { matches: (text) => parsed.some((tokens) => matchTokens(tokens ?? [], [...fold(text)])) };
}

/** Whether a string has no pattern characters. */
export const isPlainText = (text: string): boolean => !/[*?[\]{}\\]/.test(text);

/** All expansions of the braces; undefined if one is not closed. */
function expandBraces(pattern: string): readonly string[] | undefined {
  const open = findUnescaped(pattern, 0, "{");
  if (open < 0) return findUnescaped(pattern, 0, "}") < 0 ? [pattern] : undefined;
  let depth = 0;
  let start = open + 1;
  const parts: string[] = [];
  for (let at = open; at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === "\\") at += 1;
    else if (character === "{") depth += 1;
    else if (character === "," && depth === 1) {
      parts.push(pattern.slice(start, at));
      start = at + 1;
    } else if (character === "}") {
      depth -= 1;
      if (depth > 0) continue;
      parts.push(pattern.slice(start, at));
      const expanded: string[] = [];
      for (const part of parts) {
        const rest = expandBraces(pattern.slice(0, open) + part + pattern.slice(at + 1));
        if (rest === undefined || expanded.length + rest.length > maxAlternatives) return undefined;
        expanded.push(...rest);
      }
      return expanded;
    }
  }
  return undefined;
}

function findUnescaped(text: string, from: number, wanted: string): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === wanted) return at;
  }
  return -1;
}

function tokensOf(pattern: string, separators: string): readonly Token[] | undefined {
  const within = (character: string): boolean => !separators.includes(character);
  const characters = [...pattern];
  const tokens: Token[] = [];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] as string;
    if (character === "*") {
      const isDouble = characters[at + 1] === "*";
      while (characters[at + 1] === "*") at += 1;
      tokens.push({ kind: "many", takes: isDouble ? () => true : within });
    } else if (character === "?") tokens.push({ kind: "one", takes: within });
    else if (character === "[") {
      const end = characters.indexOf("]", at + 1);
      const set = end < 0 ? undefined : setOf(characters.slice(at + 1, end));
      if (set === undefined) return undefined;
      tokens.push({ kind: "one", takes: (text) => within(text) && set(text) });
      at = end;
    } else if (character === "\\") {
      at += 1;
      const literal = characters[at];
      if (literal === undefined) return undefined;
      tokens.push({ kind: "one", takes: (text) => text === literal });
    } else tokens.push({ kind: "one", takes: (text) => text === character });
  }
  return tokens;
}

function setOf(characters: readonly string[]): ((character: string) => boolean) | undefined {
  const isNegated = characters[0] === "!" || characters[0] === "^";
  const listed = isNegated ? characters.slice(1) : characters;
  if (listed.length === 0) return undefined;
  const ranges: [string, string][] = [];
  for (let at = 0; at < listed.length; at += 1) {
    const from = listed[at] as string;
    const to = listed[at + 1] === "-" ? listed[at + 2] : undefined;
    if (to !== undefined && to < from) return undefined;
    ranges.push([from, to ?? from]);
    if (to !== undefined) at += 2;
  }
  return (character) => ranges.some(([from, to]) => character >= from && character <= to) !== isNegated;
}

/** Tracks all pattern positions that the characters read so far can reach, so that no alternative is tried twice. */
function matchTokens(tokens: readonly Token[], text: readonly string[]): boolean {
  let positions = skipMany(tokens, new Set([0]));
  for (const character of text) {
    const next = new Set<number>();
    for (const position of positions) {
      const token = tokens[position];
      if (token === undefined || !token.takes(character)) continue;
      next.add(token.kind === "one" ? position + 1 : position);
    }
    if (next.size === 0) return false;
    positions = skipMany(tokens, next);
  }
  return positions.has(tokens.length);
}

/** A `*` may also match the empty string. */
function skipMany(tokens: readonly Token[], positions: Set<number>): Set<number> {
  for (const position of positions) if (tokens[position]?.kind === "many") positions.add(position + 1);
  return positions;
}
