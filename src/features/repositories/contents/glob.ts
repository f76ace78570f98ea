/**
 * Patterns of editorconfig files (https://spec.editorconfig.org): `*`, `**`, `?`, `[abc]`, `[!abc]`, `{a,b}`, `{1..9}` and `\`.
 * A pattern is compiled to a state graph that visits each path position at most once per state, so matching takes at most
 * pattern length times path length.
 */

/** True if the pattern matches the whole path. */
export type Glob = (path: string) => boolean;

type Part =
  | { readonly kind: "character"; readonly fits: (character: string) => boolean }
  /** Zero or more characters. */
  | { readonly kind: "star"; readonly fits: (character: string) => boolean }
  | { readonly kind: "choice"; readonly branches: readonly (readonly Part[])[] }
  | { readonly kind: "number"; readonly least: bigint; readonly most: bigint };

interface State {
  readonly part: Exclude<Part, { kind: "choice" }> | undefined;
  readonly next: readonly number[];
}

const notSlash = (character: string): boolean => character !== "/";
const anything = (): boolean => true;
const literal = (wanted: string): Part => ({ kind: "character", fits: (character) => character === wanted });

export function compileGlob(pattern: string): Glob {
  const { parts } = parseParts({ pattern, choices: findChoices(pattern) }, 0);
  const states: State[] = [{ part: undefined, next: [] }];
  const start = addParts(states, parts, 0);
  return (path) => walk(states, start, [...path]);
}

/** Adds states from the last part to the first, so that each state knows its successor. @returns the first state */
function addParts(states: State[], parts: readonly Part[], end: number): number {
  let next = end;
  for (const part of parts.toReversed()) {
    if (part.kind === "choice") {
      const starts: number[] = part.branches.map((branch) => addParts(states, branch, next));
      next = states.push({ part: undefined, next: starts }) - 1;
    } else next = states.push({ part, next: [next] }) - 1;
  }
  return next;
}

function walk(states: readonly State[], start: number, path: readonly string[]): boolean {
  const seen = new Set<number>();
  const open: [state: number, at: number][] = [];
  const visit = (state: number, at: number): void => {
    const key = state * (path.length + 1) + at;
    if (seen.has(key)) return;
    seen.add(key);
    open.push([state, at]);
  };
  visit(start, 0);
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const [index, at] = place;
    const { part, next } = states[index] as State;
    if (index === 0 && at === path.length) return true;
    if (part === undefined) for (const state of next) visit(state, at);
    else for (const end of endsOf(part, path, at)) for (const state of next) visit(state, end);
    const character = path[at];
    if (part?.kind === "star" && character !== undefined && part.fits(character)) visit(index, at + 1);
  }
  return false;
}

/** Longer numbers do not match. */
const maxDigits = 20;

/** The positions at which a part that starts at a position can end. */
function endsOf(part: Exclude<Part, { kind: "choice" }>, path: readonly string[], at: number): number[] {
  if (part.kind === "star") return [at];
  if (part.kind === "character") {
    const character = path[at];
    return character !== undefined && part.fits(character) ? [at + 1] : [];
  }
  const digits = /^[+-]?\d+/.exec(path.slice(at, at + maxDigits).join(""))?.[0] ?? "";
  if (digits === "") return [];
  const value = BigInt(digits.replace("+", ""));
  return value >= part.least && value <= part.most ? [at + digits.length] : [];
}

interface Source {
  readonly pattern: string;
  /** Positions of the braces and commas of actual choices; all others are literal. */
  readonly choices: ReadonlySet<number>;
}

/** Finds the closed braces that contain a comma, in one pass: a thousand open braces are read only once. */
function findChoices(pattern: string): Set<number> {
  const choices = new Set<number>();
  const open: { readonly at: number; readonly commas: number[] }[] = [];
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === "\\") at += 1;
    else if (character === "[") at = (endOfSet(pattern, at) ?? at + 1) - 1;
    else if (character === "{") open.push({ at, commas: [] });
    else if (character === ",") open.at(-1)?.commas.push(at);
    else if (character === "}") {
      const brace = open.pop();
      if (brace !== undefined && brace.commas.length > 0) for (const place of [brace.at, ...brace.commas, at]) choices.add(place);
    }
  }
  return choices;
}

interface Parsed {
  readonly parts: Part[];
  /** The position at which parsing stopped. */
  readonly end: number;
}

/** Parses to the end of the pattern, or of the enclosing alternative. */
function parseParts(source: Source, start: number): Parsed {
  const { pattern, choices } = source;
  const parts: Part[] = [];
  let at = start;
  while (at < pattern.length) {
    const character = pattern[at] as string;
    if (choices.has(at) && character !== "{") break;
    if (character === "\\" && at + 1 < pattern.length) {
      parts.push(literal(pattern[at + 1] as string));
      at += 2;
    } else if (character === "*") {
      const isDouble = pattern[at + 1] === "*";
      parts.push({ kind: "star", fits: isDouble ? anything : notSlash });
      at += isDouble ? 2 : 1;
    } else if (character === "?") {
      parts.push({ kind: "character", fits: notSlash });
      at += 1;
    } else {
      const group = character === "[" ? parseSet(pattern, at) : character === "{" ? parseBraces(source, at) : undefined;
      parts.push(...(group?.parts ?? [literal(character)]));
      at = group?.end ?? at + 1;
    }
  }
  return { parts, end: at };
}

/** The position after the closing bracket; undefined if the bracket is literal. */
function endOfSet(pattern: string, start: number): number | undefined {
  const first = start + (pattern[start + 1] === "!" ? 2 : 1);
  const end = pattern.indexOf("]", first + 1);
  return end === -1 || pattern.slice(first, end).includes("/") ? undefined : end + 1;
}

/** `[abc]`, `[a-z]`, `[!abc]`. */
function parseSet(pattern: string, start: number): Parsed | undefined {
  const end = endOfSet(pattern, start);
  if (end === undefined) return undefined;
  const isNegated = pattern[start + 1] === "!";
  const content = pattern.slice(start + (isNegated ? 2 : 1), end - 1);
  const ranges: [string, string][] = [];
  for (let at = 0; at < content.length; at++) {
    const from = content[at] as string;
    const to = content[at + 1] === "-" ? content[at + 2] : undefined;
    ranges.push([from, to ?? from]);
    if (to !== undefined) at += 2;
  }
  const fits = (character: string): boolean => character !== "/" && ranges.some(([from, to]) => character >= from && character <= to) !== isNegated;
  return { parts: [{ kind: "character", fits }], end };
}

/** `{a,b}` and `{1..9}`. */
function parseBraces(source: Source, start: number): Parsed | undefined {
  const { pattern, choices } = source;
  const numbers = /^\{([+-]?\d{1,18})\.\.([+-]?\d{1,18})\}/.exec(pattern.slice(start, start + 48));
  if (numbers !== null) {
    const [whole, a = "0", b = "0"] = numbers;
    const [low, high] = [BigInt(a.replace("+", "")), BigInt(b.replace("+", ""))];
    const [least, most] = low <= high ? [low, high] : [high, low];
    return { parts: [{ kind: "number", least, most }], end: start + whole.length };
  }
  if (!choices.has(start)) return undefined;
  const branches: Part[][] = [];
  let at = start;
  do {
    const branch = parseParts(source, at + 1);
    branches.push(branch.parts);
    at = branch.end;
  } while (pattern[at] === ",");
  return { parts: [{ kind: "choice", branches }], end: at + 1 };
}
