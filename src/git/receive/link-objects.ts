import { constants, copyFileSync, linkSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { unavailable } from "../../core/errors.ts";
import { alreadyExists, isMissing, onStorage, syncDirectory } from "../objects/durable-fs.ts";
import { type GitStore, isPresent, materialize } from "../stores.ts";
import type { Oid } from "../types.ts";
import { lacksObjectsOf, readCollectedRefs } from "./collected-refs.ts";
import { copyObjectsFrom } from "./copy-objects.ts";

/** A store that is repacked this often in a row has a fault. */
const maxRounds = 5;

/**
 * Gives a new store all objects of another one by hard links to its files. Packs of objects that were unreachable at the last collection are
 * left out, except for those of their objects that a tip needs now.
 * Git never writes into these files, so the stores diverge safely. Durable once it resolves. Starts no process unless there are such packs.
 * Readers of the new store can read everything that the source holds at this moment: see docs/decisions/0027.
 * @param to an empty store of the same format
 * @param options.readTips reads the targets of the new store's refs, if they are needed
 * @param options.withRefs also link the projected refs, in whatever state they are
 * @returns whether the refs were linked
 * @throws ForgeError `unavailable` if the storage fails
 */
export async function linkObjects(from: GitStore, to: GitStore, { readTips, withRefs = false }: LinkOptions): Promise<boolean> {
  if (!(await isPresent(from))) return false;
  let hasRefs = false;
  let isPartial = false;
  const knownBefore = await onStorage(() => readCollectedRefs(from));
  const isMade = await materialize(to, async (path) => {
    hasRefs = withRefs && (await linkRefs(from.path, path));
    const objectsPath = join(path, "objects");
    // In this order, objects packed in the meantime are found in the packs.
    const shards = await linkLoose(from.objectsPath, objectsPath);
    isPartial = await linkPacks(join(from.objectsPath, "pack"), join(objectsPath, "pack"));
    await linkCommitGraph(join(from.objectsPath, "info"), join(objectsPath, "info"));
    return [...shards, join(objectsPath, "pack")].map(syncDirectory);
  });
  await to.shared.packs.share(from, to);
  if (isMade && isPartial) {
    // A collection meanwhile can have moved objects either way.
    const knownAfter = await onStorage(() => readCollectedRefs(from));
    const knownOids = new Set([...knownBefore].filter((oid) => knownAfter.has(oid)));
    const tips = { tipOids: await readTips(), knownOids };
    if (await lacksObjectsOf(to, tips)) await copyObjectsFrom(from, to, tips);
  }
  return isMade && hasRefs;
}

export interface LinkOptions {
  readonly readTips: () => Promise<readonly Oid[]>;
  readonly withRefs?: boolean;
}

/**
 * Projections replace these files and never write into them. Their contents are durable: synced, or equal to what {@link materialize}
 * writes.
 */
async function linkRefs(fromPath: string, toPath: string): Promise<boolean> {
  for (const name of ["HEAD", "packed-refs"]) if (!(await linkFile(join(fromPath, name), join(toPath, name)))) return false;
  return true;
}

/** @returns the directories that were created */
async function linkLoose(fromPath: string, toPath: string): Promise<string[]> {
  const made: string[] = [];
  for (const shard of namesIn(fromPath).filter((name) => /^[0-9a-f]{2}$/.test(name))) {
    const names = namesIn(join(fromPath, shard)).filter((name) => /^[0-9a-f]+$/.test(name));
    if (names.length === 0) continue;
    const to = join(toPath, shard);
    mkdirSync(to);
    made.push(to);
    // A file that disappeared was packed.
    for (const name of names) await linkFile(join(fromPath, shard, name), join(to, name));
  }
  return made;
}

/** @returns whether packs were left out */
async function linkPacks(fromPath: string, toPath: string): Promise<boolean> {
  for (let round = 0; round < maxRounds; round += 1) {
    const linked = await linkPacksOnce(fromPath, toPath);
    if (linked !== "changed") return linked === "partial";
    for (const name of namesIn(toPath)) rmSync(join(toPath, name));
  }
  throw unavailable("the repository is being packed", { retryAfter: 10 });
}

/** @returns `partial` if packs were left out; `changed` if the packs were replaced meanwhile, so that the links may mix several states */
async function linkPacksOnce(fromPath: string, toPath: string): Promise<"whole" | "partial" | "changed"> {
  const names = namesByAge(fromPath);
  const setAside = new Set(names.filter((name) => name.endsWith(".mtimes")).map(packOf));
  for (const name of names) {
    // An index over all packs also covers those that are left out.
    const isWanted = /^multi-pack-index(?:-[0-9a-f]+\.(?:bitmap|rev))?$/.test(name)
      ? setAside.size === 0
      : /^pack-[0-9a-f]+\.(?:pack|idx|rev|bitmap)$/.test(name) && !setAside.has(packOf(name));
    if (isWanted && !(await linkFile(join(fromPath, name), join(toPath, name)))) return "changed";
  }
  const present = new Set(namesIn(fromPath));
  if (!names.every((name) => present.has(name))) return "changed";
  return setAside.size === 0 ? "whole" : "partial";
}

/** Linking counts as a change of the file. In this order housekeeping still sees which packs are younger than the last bitmap. */
function namesByAge(path: string): string[] {
  const files = namesIn(path).flatMap((name) => {
    const stats = statSync(join(path, name), { throwIfNoEntry: false });
    return stats === undefined ? [] : [{ name, changedMs: stats.ctimeMs }];
  });
  return files.sort((a, b) => a.changedMs - b.changedMs).map(({ name }) => name);
}

const packOf = (name: string): string => name.slice(0, name.indexOf("."));

/** The commit graph only speeds up walks and is rewritten if missing. A partial one is useless, and it is not worth a sync. */
async function linkCommitGraph(fromPath: string, toPath: string): Promise<void> {
  const [from, to] = [join(fromPath, "commit-graphs"), join(toPath, "commit-graphs")];
  const names = namesIn(from).filter((name) => /^(?:graph-[0-9a-f]+\.graph|commit-graph-chain)$/.test(name));
  if (names.length === 0) return;
  mkdirSync(to);
  for (const name of names) if (!(await linkFile(join(from, name), join(to, name)))) return rmSync(to, { recursive: true });
}

/** Errors after which a file is copied instead of linked. */
const unlinkable: ReadonlySet<unknown> = new Set(["EXDEV", "EMLINK", "EPERM", "ENOSYS", "ENOTSUP"]);

/** @returns false if the file no longer exists */
async function linkFile(from: string, to: string): Promise<boolean> {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    if (alreadyExists(error)) return true;
    if (!unlinkable.has((error as NodeJS.ErrnoException).code)) throw error;
  }
  copyFileSync(from, to, constants.COPYFILE_FICLONE);
  const file = await open(to, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
  return true;
}

/** Empty for a directory that does not exist. */
function namesIn(path: string): string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
