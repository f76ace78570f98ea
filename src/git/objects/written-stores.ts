import { appendFileSync, mkdirSync } from "node:fs";
import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "../../core/log.ts";
import { onStorage, removeQuietly } from "./durable-fs.ts";
import { ownerOf, ownName } from "./owners.ts";

/**
 * Which stores each server process has written to in the last hours, on disk: a killed process can have left locks and temporary files only
 * there, so a start does not have to read every store. The files are not synced: what a power cut loses is found by the daily sweep.
 */
export interface WrittenStores {
  /** To be called before a write. Writes to a file once per store and hour. */
  note(storeId: number): void;
  /** Ids of the stores that ended processes of this host have written to. */
  readonly left: ReadonlySet<number>;
  /** Forgets {@link left}, once those stores are swept. */
  forgetLeft(): Promise<void>;
  /** Forgets what this process has written. Nothing may be in progress. */
  close(): void;
}

const slotMs = 3_600_000;
/** No process and no upload runs for longer. */
const keptSlots = 7;
const foreignMs = 24 * slotMs;

/** @param directory contains only these files, of this process and of others */
export async function openWrittenStores(directory: string, log: Log): Promise<WrittenStores> {
  const leftFiles: string[] = [];
  const left = new Set<number>();
  await onStorage(async () => {
    mkdirSync(directory, { recursive: true });
    for (const name of await readdir(directory)) {
      const path = join(directory, name);
      const owner = ownerOf(name);
      if (owner === "elsewhere" && (await stat(path)).mtimeMs < Date.now() - foreignMs) await rm(path, { force: true });
      if (owner !== "ended") continue;
      leftFiles.push(path);
      for (const line of (await readFile(path, "utf8")).split("\n")) if (/^[1-9][0-9]*$/.test(line)) left.add(Number(line));
    }
  });
  const own = ownName();
  /** The files of the last hours, with the stores in the newest. */
  const slots: { readonly at: number; readonly path: string }[] = [];
  let noted = new Set<number>();

  const slotNow = (): string => {
    const at = Math.floor(performance.now() / slotMs);
    const newest = slots.at(-1);
    if (newest?.at === at) return newest.path;
    noted = new Set();
    const path = join(directory, `${own}-${at}`);
    slots.push({ at, path });
    while ((slots[0]?.at ?? at) <= at - keptSlots) removeQuietly(slots.shift()?.path ?? "");
    return path;
  };

  return {
    left,
    note(storeId) {
      const path = slotNow();
      if (noted.has(storeId)) return;
      noted.add(storeId);
      try {
        appendFileSync(path, `${storeId}\n`);
      } catch (error) {
        // The daily sweep finds the store.
        log.warn({ err: error, storeId }, "a written store could not be noted");
      }
    },
    async forgetLeft() {
      left.clear();
      await Promise.all(leftFiles.splice(0).map((path) => rm(path, { force: true })));
    },
    close() {
      for (const { path } of slots.splice(0)) removeQuietly(path);
      noted.clear();
    },
  };
}
