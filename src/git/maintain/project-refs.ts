import { existsSync, readdirSync, readFileSync, unlinkSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { isMissing, onStorage, replaceFiles, syncDirectory } from "../objects/durable-fs.ts";
import { formatPackedRefs, headContent, type RefProjection } from "../send/packed-refs.ts";
import { type GitStore, isPresent, materialize } from "../stores.ts";

/**
 * Makes the refs in the store's own directory equal those of the database: one `packed-refs` file, HEAD, and no loose ref beside them. It is for
 * operators who run git there; no process of the server reads it. Each file is replaced in one step, and repeating it changes nothing.
 * Callers run one at a time per store, under the lease of the job.
 * @throws ForgeError `unavailable` when the storage refuses
 */
export async function projectRefs(store: GitStore, projection: RefProjection): Promise<void> {
  if (projection.refs.length === 0 && !(await isPresent(store))) return;
  await materialize(store);
  await onStorage(async () => {
    // The lock of a git process that an operator ran and that died; only this function writes refs.
    for (const lock of ["packed-refs.lock", "HEAD.lock"].map((name) => join(store.path, name))) if (existsSync(lock)) ifPresent(() => unlinkSync(lock));
    const files = [
      { name: "packed-refs", content: formatPackedRefs(projection.refs) },
      { name: "HEAD", content: headContent(projection.headRef) },
    ];
    const isDifferent = ({ name, content }: (typeof files)[number]): boolean => ifPresent(() => readFileSync(join(store.path, name), "utf8")) !== content;
    await replaceFiles(store.path, files.filter(isDifferent));
    await removeLooseRefs(join(store.path, "refs"));
  });
}

/** A loose ref hides the packed one of its name. Only something that ran beside the server can have made it. */
async function removeLooseRefs(directory: string): Promise<void> {
  const names = readdirSync(directory);
  if (names.length === 0) return;
  await Promise.all(names.map((name) => rm(join(directory, name), { recursive: true, force: true })));
  await syncDirectory(directory);
}

/** What is not there is undefined. */
function ifPresent<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
