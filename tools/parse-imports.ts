/** An import of a module, in any syntax. */
export interface Import {
  readonly specifier: string;
  readonly line: number;
  /** Removed when types are stripped: `import type`, `export type`, and `import("x").T` in a type. `import { type A }` is not removed. */
  readonly isTypeOnly: boolean;
}

interface Token {
  readonly kind: "word" | "string" | "template" | "number" | "regex" | "mark";
  /** The value of a string token; the text of any other token. */
  readonly text: string;
  readonly line: number;
}

/**
 * Finds the imports of a TypeScript source: static, side-effect, re-exporting, dynamic with a literal, `require` with a literal, and
 * types. It works on tokens, so comments, strings and templates are not mistaken for imports.
 */
export function parseImports(source: string): Import[] {
  return findImports(tokenize(source));
}

/** Method calls anywhere in the source, with their line: `.selectFrom(`. */
export function findCalls(source: string, names: ReadonlySet<string>): { readonly name: string; readonly line: number }[] {
  const tokens = tokenize(source);
  return tokens.flatMap(({ kind, text, line }, at) =>
    kind === "word" && names.has(text) && isMark(tokens[at - 1], ".", "?.") && isMark(tokens[at + 1], "(", "<") ? [{ name: text, line }] : [],
  );
}

const writeMethods: ReadonlySet<string> = new Set(["insertInto", "replaceInto", "updateTable", "deleteFrom", "mergeInto"]);
const writeStatement = /\b(?:insert\s+(?:or\s+\w+\s+)?into|delete\s+from|(?<!\b(?:for|do)\s+)update)\s+"?(\w+|$)/gi;

/**
 * Finds the writes to tables: calls of the query builder, and statements in templates of modules that import it.
 * @returns the table and line of each; the table is undefined if its name is not a literal
 */
export function findTableWrites(source: string): { readonly table: string | undefined; readonly line: number }[] {
  const tokens = tokenize(source);
  const hasSql = findImports(tokens).some(({ specifier }) => specifier === "kysely");
  return tokens.flatMap((token, at): { table: string | undefined; line: number }[] => {
    const { kind, text, line } = token;
    if (kind === "word" && writeMethods.has(text) && isMark(tokens[at - 1], ".", "?.") && isMark(tokens[at + 1], "(")) {
      const name = tokens[at + 2];
      return [{ table: name?.kind === "string" ? name.text.split(" ", 1)[0] : undefined, line }];
    }
    if (kind !== "template" || !hasSql) return [];
    return [...text.matchAll(writeStatement)].map(({ 1: table = "" }) => ({ table: table || undefined, line }));
  });
}

const readMethods: ReadonlySet<string> = new Set(["selectFrom", "from", "using", "innerJoin", "leftJoin", "rightJoin", "fullJoin", "crossJoin"]);
const readClause = /\b(?:from|join)\s+"?(\w+)/gi;

/**
 * Finds the names of tables that a source may read: in calls of the query builder, and after `from` and `join` in templates of modules that
 * import it. Aliases, names of `with` queries and words of texts are among them, so the caller compares with the names of all tables.
 */
export function findTableReads(source: string): { readonly table: string; readonly line: number }[] {
  const tokens = tokenize(source);
  const hasSql = findImports(tokens).some(({ specifier }) => specifier === "kysely");
  return tokens.flatMap((token, at): { table: string; line: number }[] => {
    const { kind, text, line } = token;
    if (kind === "word" && readMethods.has(text) && isMark(tokens[at - 1], ".", "?.") && isMark(tokens[at + 1], "("))
      return firstStrings(tokens, at + 2).map((name) => ({ table: name.split(" ", 1)[0] ?? "", line }));
    if (kind !== "template" || !hasSql) return [];
    return [...text.matchAll(readClause)].map(({ 1: table = "" }) => ({ table, line }));
  });
}

/** A string, or the strings of a list. */
function firstStrings(tokens: readonly Token[], start: number): string[] {
  const first = tokens[start];
  if (first?.kind === "string") return [first.text];
  if (!isMark(first, "[")) return [];
  const end = tokens.findIndex((token, at) => at > start && isMark(token, "]"));
  return tokens.slice(start, end).flatMap(({ kind, text }) => (kind === "string" ? [text] : []));
}

function findImports(tokens: readonly Token[]): Import[] {
  const found: Import[] = [];
  const add = (token: Token | undefined, line: number, isTypeOnly: boolean): void => {
    if (token?.kind === "string") found.push({ specifier: token.text, line, isTypeOnly });
  };
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== "word" || isMark(tokens[at - 1], ".", "?.")) continue;
    const next = tokens[at + 1];
    if ((token.text === "import" || token.text === "require") && isMark(next, "(")) {
      // `typeof import("x")` and `import("x").T` are types; the following token distinguishes the second from a call.
      const isType =
        isWord(tokens[at - 1], "typeof") || (isMark(tokens[at + 3], ")") && isMark(tokens[at + 4], ".") && /^[A-Z]/.test(tokens[at + 5]?.text ?? ""));
      add(tokens[at + 2], token.line, isType);
    } else if (token.text === "import" && next?.kind === "string") {
      add(next, token.line, false);
    } else if (token.text === "import" || (token.text === "export" && startsReexport(tokens, at + 1))) {
      add(source(tokens, at + 1), token.line, isTypeClause(tokens, at + 1));
    }
  }
  return found;
}

/** `export {`, `export *`, `export type {`, `export type *`: the forms that can end in `from`. */
function startsReexport(tokens: readonly Token[], at: number): boolean {
  return isMark(tokens[isWord(tokens[at], "type") ? at + 1 : at], "{", "*");
}

/** The string after `from`, if only tokens of an import clause precede it. */
function source(tokens: readonly Token[], start: number): Token | undefined {
  for (let at = start; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (isWord(token, "from") && tokens[at + 1]?.kind === "string") return tokens[at + 1];
    if (token?.kind !== "word" && token?.kind !== "string" && !isMark(token, "{", "}", ",", "*")) return undefined;
    if (isMark(token, "}") && !isWord(tokens[at + 1], "from")) return undefined;
  }
  return undefined;
}

/** `import type X`, `export type {`; but `import type from "x"` and `import type, { a }` import something named `type`. */
function isTypeClause(tokens: readonly Token[], at: number): boolean {
  if (!isWord(tokens[at], "type")) return false;
  const isName = isMark(tokens[at + 1], ",") || (isWord(tokens[at + 1], "from") && tokens[at + 2]?.kind === "string");
  return !isName;
}

const isMark = (token: Token | undefined, ...marks: readonly string[]): boolean => token?.kind === "mark" && marks.includes(token.text);
const isWord = (token: Token | undefined, word: string): boolean => token?.kind === "word" && token.text === word;

const spaces = /\s+/y;
const lineComment = /\/\/[^\n]*/y;
const blockComment = /\/\*.*?(?:\*\/|$)/sy;
const word = /[\p{ID_Start}$_#@][\p{ID_Continue}$\u200c\u200d]*/uy;
const numeral = /\.?\d[\w.]*/y;
const quoted = /"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?/sy;
const regex = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const mark = /\?\.(?!\d)|=>|\.\.\.|./sy;

/** Keywords that are followed by an expression, so that `/` starts a regular expression. */
const beforeExpression = new Set(["return", "typeof", "instanceof", "in", "of", "new", "delete", "void", "throw", "case", "do", "else", "await", "yield"]);

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  /** For each open `${`, the number of open braces inside it. */
  const holes: number[] = [];
  let at = 0;
  let line = 1;

  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const taken = pattern.exec(text)?.[0];
    if (taken !== undefined) at += taken.length;
    return taken;
  };
  const push = (kind: Token["kind"], taken: string, value = taken): void => {
    tokens.push({ kind, text: value, line });
    line += countLines(taken);
  };
  /** Reads template text up to its end or the next placeholder. */
  const template = (): void => {
    const start = at;
    while (at < text.length && text[at] !== "`" && !(text[at] === "$" && text[at + 1] === "{")) at += text[at] === "\\" ? 2 : 1;
    const isHole = text[at] === "$";
    push("template", text.slice(start, at));
    at += isHole ? 2 : 1;
    if (isHole) holes.push(0);
  };

  while (at < text.length) {
    const skipped = take(spaces) ?? take(lineComment) ?? take(blockComment);
    if (skipped !== undefined) {
      line += countLines(skipped);
      continue;
    }
    const opens = text[at];
    const last = holes.length - 1;
    if (opens === "`" || (opens === "}" && holes[last] === 0)) {
      if (opens === "}") holes.pop();
      at += 1;
      template();
      continue;
    }
    const string = take(quoted);
    const taken = string ?? take(word) ?? take(numeral);
    if (string !== undefined) push("string", string, string.slice(1, -1));
    else if (taken !== undefined) push(/^[.\d]/.test(taken) ? "number" : "word", taken);
    else {
      const pattern = opens === "/" && canBeginExpression(tokens.at(-1)) ? take(regex) : undefined;
      if (pattern !== undefined) push("regex", pattern);
      else push("mark", take(mark) ?? "");
    }
    if (last >= 0 && holes[last] !== undefined) holes[last] += opens === "{" ? 1 : opens === "}" ? -1 : 0;
  }
  return tokens;
}

function canBeginExpression(previous: Token | undefined): boolean {
  if (previous === undefined) return true;
  if (previous.kind === "word") return beforeExpression.has(previous.text);
  return previous.kind === "mark" && !isMark(previous, ")", "]", "}");
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
