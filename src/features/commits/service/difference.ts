import type { Readable } from "node:stream";
import { type FileDiff, parseUnifiedDiff } from "../unified-diff.ts";
import { streamCommitText } from "./commit.ts";
import type { CommitDeps, Viewing } from "./views.ts";

export interface Difference {
  readonly files: readonly FileDiff[];
  /** There is more than a page holds. */
  readonly isCut: boolean;
}

/** More text than this makes a page that nobody reads and browsers choke on. */
const maxPageBytes = 768 * 1024;

/**
 * What a commit changed compared with its first parent, as far as a page shows it: one process, memory bounded.
 * @throws ForgeError as `streamCommitText`
 */
export async function readDifference(deps: CommitDeps, viewing: Omit<Viewing, "detail">, oid: string): Promise<Difference> {
  return readBounded(await streamCommitText(deps, viewing, oid, "diff"));
}

/** As much of the text of a difference as a page shows. What is left unread ends with the process that writes it. */
export async function readBounded(stream: Readable): Promise<Difference> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    // Leaving the loop ends the stream, and the process with it.
    if (size > maxPageBytes) break;
  }
  const isCut = size > maxPageBytes;
  return { files: parseUnifiedDiff(Buffer.concat(chunks).subarray(0, maxPageBytes).toString("utf8")), isCut };
}
