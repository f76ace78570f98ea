import { decodeName } from "../objects/names.ts";
import { createFieldSplitter } from "../run/nul-fields.ts";
import { streamGit } from "../run/runner.ts";
import type { GitStore } from "../stores.ts";
import type { FoundLine, GrepResult, Oid } from "../types.ts";

export interface GrepQuery {
  readonly commitOid: Oid;
  /** Fixed string, one line, case-insensitive. */
  readonly text: string;
  readonly maxLines: number;
  readonly maxLinesOfFile: number;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Maximum length of a returned line. */
const maxLineBytes = 1_000;
const lineEnd = 10;
/** Maximum output read in total: minified files have lines of megabytes. */
const maxReadBytes = 16 * 1024 * 1024;

/**
 * Finds lines in a commit's text files that contain a string. One process, bounded in time, output and memory.
 * @throws TypeError for a string of several lines
 */
export async function grep(store: GitStore, query: GrepQuery): Promise<GrepResult> {
  if (query.text === "" || /[\n\0]/.test(query.text)) throw new TypeError("the search text must be a single line");
  const deadline = AbortSignal.timeout(query.timeoutMs);
  const signal = query.signal === undefined ? deadline : AbortSignal.any([deadline, query.signal]);
  const flags = { "-F": true, "-I": true, "-i": true, "-n": true, "-z": true, "--max-count": query.maxLinesOfFile, "--threads": 1, "-e": query.text } as const;
  const lines: FoundLine[] = [];
  try {
    // Exit code 1: no match.
    const { stdout, done } = await streamGit(store, { name: "grep", flags, revisions: [query.commitOid] }, { signal, accept: [0, 1] });
    done.catch(() => {});
    const splitter = createFieldSplitter(lineEnd);
    let read = 0;
    for await (const chunk of stdout as AsyncIterable<Buffer>) {
      read += chunk.length;
      lines.push(...splitter.push(chunk).flatMap((record) => parseLine(record) ?? []));
      // Leaving the loop ends the stream and its process.
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
