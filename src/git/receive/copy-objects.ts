import { isForgeError } from "../../core/errors.ts";
import { readCommit, readInfo, readObject, readTree } from "../objects/objects.ts";
import { type WriteReceipt, writeObjects } from "../objects/write.ts";
import { streamGit } from "../run/runner.ts";
import { type GitStore, isPresent, quotedPath } from "../stores.ts";
import type { Commit, GitObject, Oid, TreeEntry } from "../types.ts";
import { type KnownTips, knownTips } from "./connectivity.ts";
import { createQuarantine } from "./pack.ts";

export interface ObjectCopy {
  /** Commits of the source store to copy with their dependencies; or trees, which need no history. */
  readonly tipOids: readonly Oid[];
  /** Tips whose entire history is in the target store: its refs in the database. A few new commits only look up their parents. */
  readonly knownOids: Iterable<Oid> | KnownTips;
  readonly signal?: AbortSignal | undefined;
}

/** Up to this many commits are read object by object and written as one small pack; larger copies are packed by git. */
const maxCommits = 64;
const maxTrees = 400;
const maxObjects = 400;
const maxBytes = 2 * 1024 * 1024;

/**
 * Copies the objects that commits need from one store to another and makes them durable: the head of a pull request into the base's store,
 * the parent's branch into a fork. A transaction may then reference the tips. Other objects of the source are not copied, so a
 * repository never exposes objects that only another one has. Few new objects need no process, many need two or three.
 * Both stores must have the same object format.
 * @throws ForgeError `invalid` if the source lacks an object, `unavailable` if the storage fails
 */
export async function copyObjectsFrom(from: GitStore, to: GitStore, copy: ObjectCopy): Promise<WriteReceipt> {
  if (from.key === to.key) return { sizeBytes: 0 };
  const known = knownTips(copy.knownOids);
  const tipOids = await unknownOf([...new Set(copy.tipOids)], known);
  if (tipOids.length === 0) return { sizeBytes: 0 };
  const few = await readDifference(from, tipOids, known);
  return few === undefined ? packDifference(from, to, { ...copy, tipOids, knownOids: known }) : writeObjects(to, few);
}

async function unknownOf(oids: readonly Oid[], known: KnownTips): Promise<readonly Oid[]> {
  const present = await known.among(oids);
  return oids.filter((oid) => !present.has(oid));
}

/**
 * Reads the objects that the tips need beyond the known ones without git: new commits, and those entries of their trees that the same
 * directory of a parent lacks. Undefined if there are many, or if an object on the way is not a commit.
 */
async function readDifference(from: GitStore, tipOids: readonly Oid[], known: KnownTips): Promise<GitObject[] | undefined> {
  const treeOids = await treesAmong(from, tipOids);
  const commits = await newCommits(
    from,
    tipOids.filter((oid) => !treeOids.has(oid)),
    known,
  );
  if (commits === undefined) return undefined;
  const wanted = new Set<Oid>();
  let trees = 0;
  const treeOf = async (oid: Oid): Promise<readonly TreeEntry[] | undefined> => {
    trees += 1;
    return trees > maxTrees ? undefined : readTree(from, oid);
  };
  /** @param knownTreeOids trees at the same path that the target has or receives */
  const want = async (oid: Oid, knownTreeOids: readonly Oid[]): Promise<boolean> => {
    if (wanted.has(oid) || knownTreeOids.includes(oid)) return true;
    wanted.add(oid);
    const [entries, ...others] = await Promise.all([oid, ...knownTreeOids].map(treeOf));
    if (entries === undefined || others.includes(undefined) || wanted.size > maxObjects) return false;
    const knownEntries = others.flatMap((other) => other ?? []);
    const present = new Set(knownEntries.map((entry) => entry.oid));
    for (const entry of entries) {
      if (entry.mode === "160000" || present.has(entry.oid)) continue;
      if (entry.mode !== "040000") wanted.add(entry.oid);
      else {
        const inside = knownEntries.filter(({ name, mode }) => name === entry.name && mode === "040000");
        if (!(await want(entry.oid, [...new Set(inside.map((other) => other.oid))]))) return false;
      }
    }
    return true;
  };
  for (const oid of treeOids) if (!(await want(oid, []))) return undefined;
  for (const commit of commits.values()) {
    const knownTreeOids: Oid[] = [];
    for (const parentOid of commit.parentOids) {
      const parent = commits.get(parentOid) ?? (await readCommit(from, parentOid));
      if (parent === undefined) return undefined;
      knownTreeOids.push(parent.treeOid);
    }
    wanted.add(commit.oid);
    if (!(await want(commit.treeOid, [...new Set(knownTreeOids)]))) return undefined;
  }
  return wanted.size > maxObjects ? undefined : readAll(from, wanted);
}

async function treesAmong(from: GitStore, oids: readonly Oid[]): Promise<ReadonlySet<Oid>> {
  const infos = await Promise.all(oids.map((oid) => readInfo(from, oid)));
  return new Set(infos.flatMap((info) => (info?.type === "tree" ? [info.oid] : [])));
}

/** The commits reachable from the tips but not from the known ones, by id. */
async function newCommits(from: GitStore, tipOids: readonly Oid[], known: KnownTips): Promise<ReadonlyMap<Oid, Commit> | undefined> {
  const found = new Map<Oid, Commit>();
  for (let wave = tipOids; wave.length > 0; ) {
    if (found.size + wave.length > maxCommits) return undefined;
    const commits = await Promise.all(wave.map((oid) => readCommit(from, oid)));
    for (const commit of commits) {
      if (commit === undefined) return undefined;
      found.set(commit.oid, commit);
    }
    const parentOids = new Set(commits.flatMap((commit) => commit?.parentOids ?? []));
    wave = await unknownOf(
      [...parentOids].filter((oid) => !found.has(oid)),
      known,
    );
  }
  return found;
}

async function readAll(from: GitStore, oids: Iterable<Oid>): Promise<GitObject[] | undefined> {
  const objects: GitObject[] = [];
  let rest = maxBytes;
  for (const oid of oids) {
    const object = await readObject(from, oid, rest).catch((error: unknown) => {
      if (isForgeError(error, "refused")) return undefined;
      throw error;
    });
    if (object === undefined) return undefined;
    rest -= object.data.length;
    objects.push(object);
  }
  return objects;
}

const idleMs = 10 * 60 * 1000;

/** Source of objects: a store, or a repository created outside this server. */
export type Lender = Pick<GitStore, "key" | "runner" | "environment">;

/**
 * Copies with git processes alone: git packs the difference while it sees both stores, and the target receives it like a push, with each
 * object checked.
 * @throws ForgeError as {@link copyObjectsFrom}
 */
export async function packDifference(from: Lender, to: GitStore, { tipOids, knownOids, signal }: ObjectCopy): Promise<WriteReceipt> {
  const known = new Set(await knownTips(knownOids).all());
  const hasBase = await isPresent(to);
  const both = {
    ...from,
    environment: async () => ({ ...(await from.environment()), ...(hasBase && { GIT_ALTERNATE_OBJECT_DIRECTORIES: quotedPath(to.objectsPath) }) }),
  };
  const stdin = [...tipOids, ...[...known].map((oid) => `^${oid}`), ""].join("\n");
  const flags = { "--revs": true, "--stdout": true, "--thin": true, "--delta-base-offset": true, "--quiet": true } as const;
  const quarantine = await createQuarantine(to);
  try {
    // Read from the start: output of a process that has ended would be lost.
    const { stdout } = await streamGit(both, { name: "pack-objects", flags }, { stdin, signal, idleMs });
    const { sizeBytes } = await quarantine.receivePack(stdout, { maxBytes: Number.MAX_SAFE_INTEGER, signal });
    await quarantine.checkConnected({ tipOids, knownOids: known, signal });
    await quarantine.promote();
    return { sizeBytes };
  } finally {
    await quarantine.discard();
  }
}
