import { mkdir, open, readdir, rename, utimes } from "node:fs/promises";
import { join } from "node:path";
import { alreadyExists, isMissing, syncDirectory } from "../objects/durable-fs.ts";

/**
 * Readers look for an index and then for its pack; `git repack` looks for packs and fails on one without an index.
 * Hence the pack is moved last. Files not listed here (`.keep`, locks) are left behind.
 */
const packParts = [".rev", ".idx", ".pack"] as const;

/**
 * Moves packs and loose objects between object directories on the same file system: contents are synced first, then renamed, then the names
 * are synced. A crash in between leaves whole objects, or files that readers ignore.
 */
export async function promoteObjects(fromPath: string, toPath: string): Promise<void> {
  const names = await readdir(fromPath);
  const shards = names.filter((name) => /^[0-9a-f]{2}$/.test(name));
  await Promise.all(shards.map((shard) => promoteShard(join(fromPath, shard), join(toPath, shard))));
  if (shards.length > 0) await syncDirectory(toPath);
  await promotePacks(join(fromPath, "pack"), join(toPath, "pack"));
}

async function promotePacks(fromPath: string, toPath: string): Promise<void> {
  const names = new Set(await readdir(fromPath));
  const packs = [...names].filter((name) => /^pack-[0-9a-f]+\.idx$/.test(name)).map((name) => name.slice(0, -".idx".length));
  for (const pack of packs) {
    if (await freshen(toPath, pack)) continue;
    const parts = packParts.filter((part) => names.has(pack + part));
    await Promise.all(parts.map((part) => syncFile(join(fromPath, pack + part))));
    for (const part of parts) await rename(join(fromPath, pack + part), join(toPath, pack + part));
  }
  if (packs.length > 0) await syncDirectory(toPath);
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

async function promoteShard(fromPath: string, toPath: string): Promise<void> {
  const names = await readdir(fromPath);
  await Promise.all(names.map((name) => syncFile(join(fromPath, name))));
  await mkdir(toPath).catch((error: unknown) => {
    if (!alreadyExists(error)) throw error;
  });
  await Promise.all(names.map((name) => rename(join(fromPath, name), join(toPath, name))));
  await syncDirectory(toPath);
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
