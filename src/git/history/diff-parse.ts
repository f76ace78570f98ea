import type { FileMode, Oid } from "../types.ts";

/** Change of a path between two trees, in git's terms for `--raw` (git-diff, RAW OUTPUT FORMAT). */
export type ChangeStatus = "added" | "modified" | "removed" | "renamed" | "copied" | "type_changed";

export interface ChangedFile {
  readonly path: string;
  /** The path it was renamed or copied from. */
  readonly oldPath: string | undefined;
  readonly status: ChangeStatus;
  /** Undefined on the side where the path does not exist. */
  readonly oldMode: FileMode | undefined;
  readonly newMode: FileMode | undefined;
  readonly oldOid: Oid | undefined;
  readonly newOid: Oid | undefined;
  /** Changed lines; 0 for binary files, and where line counts were not requested. */
  readonly additions: number;
  readonly deletions: number;
  readonly binary: boolean;
}

export interface FileChanges {
  readonly files: readonly ChangedFile[];
  /** Sums over all files, including those omitted from `files`. */
  readonly additions: number;
  readonly deletions: number;
  readonly fileCount: number;
  /** True if more files changed than the limit; `files` holds the first ones. */
  readonly truncated: boolean;
}

export interface DiffParser {
  push(field: Buffer): void;
  /** @throws Error when the output ends within a record */
  end(): void;
}

export interface DiffParserOptions {
  readonly maxFiles: number;
  /** Number of leading files that are counted but not listed. */
  readonly skipFiles?: number;
  readonly decodeName: (name: Buffer) => string;
  /** Called once for each compared pair, in the order of the output; `header` is empty where the output has none. */
  readonly onChanges: (header: Oid, changes: FileChanges) => void;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const statuses: Readonly<Record<string, ChangeStatus>> = {
  A: "added",
  M: "modified",
  D: "removed",
  R: "renamed",
  C: "copied",
  T: "type_changed",
};

const colon = 0x3a;
const tab = 0x09;

/**
 * Parses `diff-tree -z --raw --numstat`, with or without `--stdin`. Each pair yields an id (with `--stdin`), then all raw records, then all
 * line counts in the same order. The line counts of a rename have an empty name, followed by both names as separate fields.
 */
export function createDiffParser(options: DiffParserOptions): DiffParser {
  const { skipFiles = 0 } = options;
  /** Paths of the listed files, when leading files are skipped. */
  const listed = new Set<string>();
  let open = false;
  let header = "";
  let files: Mutable<ChangedFile>[] = [];
  let fileCount = 0;
  let counted = 0;
  let additions = 0;
  let deletions = 0;
  /** The record whose names have not been read yet. */
  let raw: { file: Mutable<ChangedFile>; names: number } | undefined;
  let counts: { additions: number; deletions: number } | undefined;
  let namesToCome = 0;

  function flush(): void {
    if (!open) return;
    options.onChanges(header, { files, additions, deletions, fileCount, truncated: fileCount > files.length });
    open = false;
    files = [];
    listed.clear();
    fileCount = counted = additions = deletions = 0;
  }

  function name(field: Buffer): void {
    if (raw === undefined) return;
    if (raw.names === 2) raw.file.oldPath = options.decodeName(field);
    else raw.file.path = options.decodeName(field);
    raw.names -= 1;
    if (raw.names > 0) return;
    fileCount += 1;
    if (fileCount > skipFiles && files.length < options.maxFiles) {
      files.push(raw.file);
      if (skipFiles > 0) listed.add(raw.file.path);
    }
    raw = undefined;
  }

  function lineCounts(field: Buffer): void {
    const first = field.indexOf(tab);
    const second = field.indexOf(tab, first + 1);
    const added = field.toString("latin1", 0, first);
    counts = added === "-" ? undefined : { additions: Number(added), deletions: Number(field.toString("latin1", first + 1, second)) };
    if (second === field.length - 1) namesToCome = 2;
    else count(options.decodeName(field.subarray(second + 1)));
  }

  /** Counts come in record order, but files with only ignored differences have none. */
  function count(path: string): void {
    additions += counts?.additions ?? 0;
    deletions += counts?.deletions ?? 0;
    if (skipFiles > 0 && !listed.has(path)) return;
    while (counted < files.length && files[counted]?.path !== path) counted += 1;
    const file = files[counted];
    if (file === undefined) return;
    if (counts === undefined) file.binary = true;
    else Object.assign(file, counts);
  }

  return {
    push(field: Buffer): void {
      if (raw !== undefined) name(field);
      else if (namesToCome > 0) {
        namesToCome -= 1;
        if (namesToCome === 0) count(options.decodeName(field));
      } else if (field[0] === colon) {
        open = true;
        raw = parseRaw(field);
      } else if (field.includes(tab)) lineCounts(field);
      else {
        flush();
        header = field.toString("latin1");
        open = true;
      }
    },
    end(): void {
      if (raw !== undefined || namesToCome > 0) throw new Error("the output of diff-tree ends within a record");
      flush();
    },
  };
}

/** `:100644 100755 <oid> <oid> R086`; the names follow in later fields. */
function parseRaw(field: Buffer): { file: Mutable<ChangedFile>; names: number } {
  const [oldMode = "", newMode = "", oldOid = "", newOid = "", statusField = ""] = field.toString("latin1", 1).split(" ");
  const status = statuses[statusField.slice(0, 1)];
  if (status === undefined) throw new Error(`diff-tree reports the unknown status ${statusField}`);
  return {
    file: {
      path: "",
      oldPath: undefined,
      status,
      oldMode: modeOf(oldMode),
      newMode: modeOf(newMode),
      oldOid: oidOf(oldOid),
      newOid: oidOf(newOid),
      additions: 0,
      deletions: 0,
      binary: false,
    },
    names: status === "renamed" || status === "copied" ? 2 : 1,
  };
}

const modeOf = (text: string): FileMode | undefined => (text === "000000" ? undefined : (text as FileMode));
const oidOf = (text: string): Oid | undefined => (/^0+$/.test(text) ? undefined : text);
