import { open, readdir, rename, utimes } from "node:fs/promises";
import { join } from "node:path";
import { isMissing, syncDirectory } from "../objects/durable-fs.ts";

/**
 * Readers look for an index and then for its pack; `git repack` looks for packs and fails on one without an index.
 * Hence the pack is moved last. Files not listed here (`.keep`, locks) are left behind.
 */
const packParts = [".rev", ".idx", ".pack"] as const;

/**
 * Moves packs between directories on the same file system: contents are synced first, then renamed, then the names are synced. A crash in
 * between leaves whole packs, or files that readers ignore.
 * @returns the names of all of them, without extension
 */
export async function promotePacks(fromPath: string, toPath: string): Promise<readonly string[]> {
  const names = new Set(await readdir(fromPath));
  const packs = [...names].filter((name) => /^pack-[0-9a-f]+\.idx$/.test(name)).map((name) => name.slice(0, -".idx".length));
  for (const pack of packs) {
    if (await freshen(toPath, pack)) continue;
    const parts = packParts.filter((part) => names.has(pack + part));
    await Promise.all(parts.map((part) => syncFile(join(fromPath, pack + part))));
    for (const part of parts) await rename(join(fromPath, pack + part), join(toPath, pack + part));
  }
  if (packs.length > 0) await syncDirectory(toPath);
  return packs;
}

/** A pack is named by its content. An existing one is kept, and its age is reset so that housekeeping does not remove it. */
async function freshen(directory: string, pack: string): Promise<boolean> {
  const now = new Date();
  try {
    await utimes(join(directory, `${pack}.idx`), now, now);
    await utimes(join(directory, `${pack}.pack`), now, now);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
