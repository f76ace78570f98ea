import { closeSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import type { Tx } from "../../db/db.ts";
import { type Batch, newBatch, writeBatch } from "../../db/row-batch.ts";
import { enqueueFollowDefault } from "../../features/actions/runs/service/triggers.ts";
import { indexImportedTexts, linkReferences } from "../../features/collaboration/issues/import/service.ts";
import { linkHeads } from "../../features/collaboration/pulls/service/import.ts";
import { enqueueDescribeContent } from "../../features/repositories/repos/service/content-job.ts";
import { setIssueCounts } from "../../features/repositories/repos/service/counters.ts";
import { type KeptFile, keepFiles } from "./files.ts";
import { moveBroughtRefs, type RefMoves } from "./git-content.ts";

/** A change of the database, with everything that it needs. */
type Write =
  | { readonly kind: "rows"; readonly table: string; readonly rows: readonly object[] }
  | { readonly kind: "files"; readonly files: readonly KeptFile[] }
  | { readonly kind: "texts"; readonly issueIds: readonly number[] }
  | { readonly kind: "issue counts"; readonly repoId: number; readonly counts: Parameters<typeof setIssueCounts>[2] }
  | { readonly kind: "references"; readonly references: Parameters<typeof linkReferences>[1] }
  | { readonly kind: "heads"; readonly heads: Parameters<typeof linkHeads>[1] }
  | { readonly kind: "refs"; readonly moves: RefMoves }
  | { readonly kind: "content"; readonly repoId: number }
  | { readonly kind: "workflows"; readonly repoId: number };

/**
 * The changes of one transaction, which are prepared before it: a transaction reads only the database that it writes, and may run several times.
 * Disposing of it forgets them.
 */
export interface Writes extends Disposable {
  add(write: Exclude<Write, { kind: "rows" }>): void;
  /** Adds the rows of a batch, which the caller may change afterwards. */
  rows(batch: Batch): void;
  /** Makes all changes in their order. May be called several times. */
  run(tx: Tx): Promise<void>;
}

/** For a dry run. */
export const noWrites: Writes = { add: () => {}, rows: () => {}, run: async () => {}, [Symbol.dispose]: () => {} };

/** Rows that are in memory together. */
const rowsAtOnce = 500;
/** Changes that stay in memory until they are more than this. */
const defaultMemoryBytes = 4 * 1_024 * 1_024;

/**
 * Keeps changes in memory, and large numbers of them in a file without a name, which the operating system removes with the process.
 * @param folder of that file
 */
export function openWrites(folder: string, memoryBytes = defaultMemoryBytes): Writes {
  /** Records after those of the file. */
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let file: number | undefined;
  /** Sizes of the records in the file. */
  const sizes: number[] = [];
  let end = 0;

  const spill = (): void => {
    file ??= openUnnamed(folder);
    for (const record of waiting) {
      for (let at = 0; at < record.length; ) at += writeSync(file, record, at, record.length - at, end + at);
      sizes.push(record.length);
      end += record.length;
    }
    waiting = [];
    waitingBytes = 0;
  };
  const add = (write: Write): void => {
    const record = serialize(write);
    waiting.push(record);
    waitingBytes += record.length;
    if (waitingBytes > memoryBytes) spill();
  };

  function* records(): Generator<Buffer> {
    let begin = 0;
    for (const size of sizes) {
      const record = Buffer.allocUnsafe(size);
      for (let at = 0; at < size; ) {
        const read = file === undefined ? 0 : readSync(file, record, at, size - at, begin + at);
        if (read === 0) throw new Error("the file with the changes of the import is shorter than it was");
        at += read;
      }
      begin += size;
      yield record;
    }
    yield* waiting;
  }

  return {
    add,
    rows({ tables }) {
      for (const [table, rows] of tables)
        for (let at = 0; at < rows.length; at += rowsAtOnce) add({ kind: "rows", table, rows: rows.slice(at, at + rowsAtOnce) });
    },
    async run(tx) {
      for (const record of records()) await change(tx, deserialize(record) as Write);
    },
    [Symbol.dispose]() {
      waiting = [];
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}

function openUnnamed(folder: string): number {
  const path = join(folder, `import-${process.pid}.tmp`);
  const file = openSync(path, "w+", 0o600);
  unlinkSync(path);
  return file;
}

async function change(tx: Tx, write: Write): Promise<void> {
  switch (write.kind) {
    case "rows": {
      const batch = newBatch();
      // The types of the rows were checked when they were added.
      for (const row of write.rows) batch.add(write.table as "accounts", row as never);
      return writeBatch(tx, batch);
    }
    case "files":
      return keepFiles(tx, write.files);
    case "texts":
      return indexImportedTexts(tx, write.issueIds);
    case "issue counts":
      return setIssueCounts(tx, write.repoId, write.counts);
    case "references":
      return linkReferences(tx, write.references);
    case "heads":
      return linkHeads(tx, write.heads);
    case "refs":
      return moveBroughtRefs(tx, write.moves);
    case "content":
      return enqueueDescribeContent(tx, write.repoId);
    case "workflows":
      return enqueueFollowDefault(tx, write.repoId);
  }
}
