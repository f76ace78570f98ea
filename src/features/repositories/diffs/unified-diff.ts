interface LineText {
  readonly text: string;
  /** Highlighted markup; omitted for plain text. */
  readonly html?: string | undefined;
  /** The line is the last one of its file, and has no line break. */
  readonly isUnended?: true;
}

/** A line of a file before or after a change; line numbers start at 1. */
export type DiffLine = LineText &
  (
    | { readonly kind: "context"; readonly before: number; readonly after: number }
    | { readonly kind: "added"; readonly after: number }
    | { readonly kind: "removed"; readonly before: number }
  );

export interface DiffHunk {
  /** Git's label of the location, such as the enclosing function. */
  readonly heading: string;
  readonly lines: readonly DiffLine[];
}

export interface FileDiff {
  readonly status: "added" | "removed" | "renamed" | "modified";
  readonly path: string;
  /** The source of a renamed or copied file. */
  readonly oldPath: string | undefined;
  readonly isBinary: boolean;
  /** Git's file modes on both sides; undefined if the file does not exist there. */
  readonly oldMode: string | undefined;
  readonly newMode: string | undefined;
  readonly hunks: readonly DiffHunk[];
  readonly additions: number;
  readonly deletions: number;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Parses the output of `git diff-tree --patch` (git-diff, GENERATING PATCH TEXT). Truncated text is read up to the cut.
 * @param text unified diffs with unquoted names: `core.quotePath` off
 */
export function parseUnifiedDiff(text: string): FileDiff[] {
  const files = text.split(/^diff --git /m).slice(1);
  return files.map(parseFile);
}

function parseFile(text: string): FileDiff {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => line.startsWith("@@ "));
  const header = lines.slice(1, first < 0 ? undefined : first);
  const field = (name: string): string | undefined => header.find((line) => line.startsWith(name))?.slice(name.length);
  const before = pathOf(field("--- "), "a/");
  const after = pathOf(field("+++ "), "b/");
  const movedFrom = unquote(field("rename from ") ?? field("copy from "));
  const movedTo = unquote(field("rename to ") ?? field("copy to "));
  const unchangedMode = / (\d{6})$/.exec(field("index ") ?? "")?.[1];
  const hunks = first < 0 ? [] : parseHunks(lines.slice(first));
  const all = hunks.flatMap((hunk) => hunk.lines);
  return {
    status:
      field("new file mode") !== undefined ? "added" : field("deleted file mode") !== undefined ? "removed" : movedTo === undefined ? "modified" : "renamed",
    path: movedTo ?? after ?? before ?? pathOfHeading(lines[0] ?? ""),
    oldPath: movedFrom,
    isBinary: header.some((line) => line.startsWith("Binary files ") || line === "GIT binary patch"),
    oldMode: field("old mode ") ?? field("deleted file mode ") ?? unchangedMode,
    newMode: field("new mode ") ?? field("new file mode ") ?? unchangedMode,
    hunks,
    additions: all.filter(({ kind }) => kind === "added").length,
    deletions: all.filter(({ kind }) => kind === "removed").length,
  };
}

function parseHunks(lines: readonly string[]): DiffHunk[] {
  const hunks: Mutable<DiffHunk & { lines: DiffLine[] }>[] = [];
  let before = 0;
  let after = 0;
  for (const line of lines) {
    const place = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/s.exec(line);
    if (place !== null) {
      before = Number(place[1]);
      after = Number(place[2]);
      hunks.push({ heading: place[3] ?? "", lines: [] });
      continue;
    }
    const found = hunks.at(-1)?.lines;
    const text = line.slice(1);
    if (line.startsWith("+")) found?.push({ kind: "added", after: after++, text });
    else if (line.startsWith("-")) found?.push({ kind: "removed", before: before++, text });
    else if (line.startsWith(" ")) found?.push({ kind: "context", before: before++, after: after++, text });
    else if (line.startsWith("\\")) {
      const last = found?.pop();
      if (last !== undefined) found?.push({ ...last, isUnended: true });
    }
  }
  return hunks;
}

/** A name followed by a tab, or quoted if it contains special characters. */
function pathOf(word: string | undefined, prefix: string): string | undefined {
  const path = unquote(word?.replace(/\t$/, ""));
  return path?.startsWith(prefix) ? path.slice(prefix.length) : undefined;
}

/** Reads `a/name b/name` if no other header contains the name; both names are equal then. */
function pathOfHeading(heading: string): string {
  const quoted = /^"a\/.*" ("b\/.*")$/s.exec(heading)?.[1];
  if (quoted !== undefined) return pathOf(quoted, "b/") ?? heading;
  return heading.slice((heading.length + 1) / 2 + 2);
}

const escapes: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, "\\": 92 };

/** Undoes git's quoting of names (git-config, core.quotePath). */
function unquote(word: string | undefined): string | undefined {
  if (word === undefined || !word.startsWith('"')) return word;
  const parts = word.slice(1, -1).match(/\\[0-7]{3}|\\.|[^\\]+/gs) ?? [];
  return Buffer.concat(
    parts.map((part) => {
      if (!part.startsWith("\\")) return Buffer.from(part);
      return Buffer.from([part.length === 4 ? Number.parseInt(part.slice(1), 8) : (escapes[part.slice(1)] ?? 63)]);
    }),
  ).toString("utf8");
}
