import { decodeName } from "../objects/names.ts";
import { createFieldSplitter } from "../run/nul-fields.ts";
import { streamGit } from "../run/runner.ts";
import type { GitStore } from "../stores.ts";
import type { Oid } from "../types.ts";

export interface FoundLine {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

export interface GrepResult {
  readonly lines: readonly FoundLine[];
  /** There may be more: as many as were asked for are found, or the time has run out. */
  readonly end: "all" | "enough" | "late";
}

export interface GrepQuery {
  readonly commitOid: Oid;
  /** Found as it stands, whatever the case of its letters. One line. */
  readonly text: string;
  readonly maxLines: number;
  readonly maxLinesOfFile: number;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Of one line so much is kept. */
const maxLineBytes = 1_000;
const lineEnd = 10;
/** Minified files have lines of megabytes; so much of the whole output is read. */
const maxReadBytes = 16 * 1024 * 1024;

/**
 * Lines of a commit's text files that hold a text, as git finds them. One process, bounded in time, in what it tells and in memory.
 * @throws TypeError for a text of several lines
 */
export async function grep(store: GitStore, query: GrepQuery): Promise<GrepResult> {
  if (query.text === "" || /[\n\0]/.test(query.text)) throw new TypeError("a text of one line is looked for");
  const deadline = AbortSignal.timeout(query.timeoutMs);
  const signal = query.signal === undefined ? deadline : AbortSignal.any([deadline, query.signal]);
  const flags = { "-F": true, "-I": true, "-i": true, "-n": true, "-z": true, "--max-count": query.maxLinesOfFile, "--threads": 1, "-e": query.text } as const;
  const lines: FoundLine[] = [];
  try {
    // 1: nothing is found.
    const { stdout, done } = await streamGit(store, { name: "grep", flags, revisions: [query.commitOid] }, { signal, accept: [0, 1] });
    done.catch(() => {});
    const splitter = createFieldSplitter(lineEnd);
    let read = 0;
    for await (const chunk of stdout as AsyncIterable<Buffer>) {
      read += chunk.length;
      lines.push(...splitter.push(chunk).flatMap((record) => parseLine(record) ?? []));
      // Leaving the loop ends the stream, and the process with it.
      if (lines.length >= query.maxLines || read > maxReadBytes) return { lines: lines.slice(0, query.maxLines), end: "enough" };
    }
  } catch (error) {
    if (!deadline.aborted || query.signal?.aborted === true) throw error;
    return { lines, end: "late" };
  }
  return { lines, end: "all" };
}

/** `<oid>:<path>NUL<line>NUL<text>`. */
function parseLine(record: Buffer): FoundLine | undefined {
  const colon = record.indexOf(58);
  const afterPath = record.indexOf(0, colon);
  const afterLine = record.indexOf(0, afterPath + 1);
  if (colon === -1 || afterPath === -1 || afterLine === -1) return undefined;
  return {
    path: decodeName(record.subarray(colon + 1, afterPath)),
    line: Number(record.subarray(afterPath + 1, afterLine).toString("latin1")),
    text: record.subarray(afterLine + 1, afterLine + 1 + maxLineBytes).toString("utf8"),
  };
}
