import { existsSync, readdirSync, unlinkSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { hasContent, isMissing, onStorage, replaceFiles, syncDirectory } from "../objects/durable-fs.ts";
import { formatPackedRefs, headContent, type RefProjection } from "../send/packed-refs.ts";
import { type GitStore, isPresent, materialize } from "../stores.ts";

/**
 * Writes the refs of the database into the store's own directory: one `packed-refs` file, HEAD, and no loose refs. This is for operators
 * who run git there; no process of the server reads it. Each file is replaced atomically, and repeated calls change nothing.
 * Callers run one at a time per store, under the job's lease.
 * @throws ForgeError `unavailable` if the storage fails
 */
export async function projectRefs(store: GitStore, projection: RefProjection): Promise<void> {
  if (projection.slices.length === 0 && !(await isPresent(store))) return;
  await materialize(store);
  await onStorage(async () => {
    // Lock files left by an operator's git process that died. Only this function writes refs.
    for (const lock of ["packed-refs.lock", "HEAD.lock"].map((name) => join(store.path, name))) if (existsSync(lock)) ifPresent(() => unlinkSync(lock));
    const files = [
      { name: "packed-refs", content: formatPackedRefs(projection.slices) },
      { name: "HEAD", content: [Buffer.from(headContent(projection.headRef))] },
    ];
    const isDifferent = ({ name, content }: (typeof files)[number]): boolean => ifPresent(() => hasContent(join(store.path, name), content)) !== true;
    await replaceFiles(store.path, files.filter(isDifferent));
    await removeLooseRefs(join(store.path, "refs"));
  });
}

/** A loose ref hides the packed ref of the same name. Only a process outside the server can have created it. */
async function removeLooseRefs(directory: string): Promise<void> {
  const names = readdirSync(directory);
  if (names.length === 0) return;
  await Promise.all(names.map((name) => rm(join(directory, name), { recursive: true, force: true })));
  await syncDirectory(directory);
}

/** Returns undefined if the file does not exist. */
function ifPresent<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
