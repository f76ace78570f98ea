import { isForgeError } from "../../core/errors.ts";
import { readCommit, readInfo, readObject, readTree } from "../objects/objects.ts";
import { type WriteReceipt, writeObjects } from "../objects/write.ts";
import { streamGit } from "../run/runner.ts";
import { type GitStore, isPresent, quotedPath } from "../stores.ts";
import type { Commit, GitObject, Oid, TreeEntry } from "../types.ts";
import { createQuarantine } from "./pack.ts";

export interface ObjectCopy {
  /** Commits of the lending store that the other one is to have, with all that they need; or trees, which need no history. */
  readonly tipOids: readonly Oid[];
  /** Tips whose whole history the borrowing store has: its refs in the database. */
  readonly knownOids: Iterable<Oid>;
  readonly signal?: AbortSignal | undefined;
}

/** So much is read object by object, and written as one small pack; more is packed by git. */
const maxCommits = 64;
const maxTrees = 400;
const maxObjects = 400;
const maxBytes = 2 * 1024 * 1024;

/**
 * Makes what one store's commits need durable in another: the head of a pull request in the store of its base, the parent's branch in a
 * fork. Afterwards a transaction may point to the tips there. What the lending store has beside that stays where it is, so nobody comes to
 * read through one repository what only the other shows. Few new objects need no process, many need two or three.
 * Both stores are of one object format.
 * @throws ForgeError `invalid` when the lending store lacks something, `unavailable` when the storage refuses
 */
export async function copyObjectsFrom(from: GitStore, to: GitStore, borrowing: ObjectCopy): Promise<WriteReceipt> {
  const known = new Set(borrowing.knownOids);
  const tipOids = [...new Set(borrowing.tipOids)].filter((oid) => !known.has(oid));
  if (tipOids.length === 0 || from.key === to.key) return { sizeBytes: 0 };
  const few = await readDifference(from, tipOids, known);
  return few === undefined ? packDifference(from, to, { ...borrowing, tipOids, knownOids: known }) : writeObjects(to, few);
}

/**
 * What the tips need beyond the known ones, read by hand: new commits, and of their trees what the same directory of a parent does not
 * have. Undefined when it is more than a little, or something else than commits is on the way.
 */
async function readDifference(from: GitStore, tipOids: readonly Oid[], known: ReadonlySet<Oid>): Promise<GitObject[] | undefined> {
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
  /** @param besideOids trees of the same place that the borrower has or gets */
  const want = async (oid: Oid, besideOids: readonly Oid[]): Promise<boolean> => {
    if (wanted.has(oid) || besideOids.includes(oid)) return true;
    wanted.add(oid);
    const [entries, ...others] = await Promise.all([oid, ...besideOids].map(treeOf));
    if (entries === undefined || others.includes(undefined) || wanted.size > maxObjects) return false;
    const beside = others.flatMap((other) => other ?? []);
    const present = new Set(beside.map((entry) => entry.oid));
    for (const entry of entries) {
      if (entry.mode === "160000" || present.has(entry.oid)) continue;
      if (entry.mode !== "040000") wanted.add(entry.oid);
      else {
        const inside = beside.filter(({ name, mode }) => name === entry.name && mode === "040000");
        if (!(await want(entry.oid, [...new Set(inside.map((other) => other.oid))]))) return false;
      }
    }
    return true;
  };
  for (const oid of treeOids) if (!(await want(oid, []))) return undefined;
  for (const commit of commits.values()) {
    const besideOids: Oid[] = [];
    for (const parentOid of commit.parentOids) {
      const parent = commits.get(parentOid) ?? (await readCommit(from, parentOid));
      if (parent === undefined) return undefined;
      besideOids.push(parent.treeOid);
    }
    wanted.add(commit.oid);
    if (!(await want(commit.treeOid, [...new Set(besideOids)]))) return undefined;
  }
  return wanted.size > maxObjects ? undefined : readAll(from, wanted);
}

async function treesAmong(from: GitStore, oids: readonly Oid[]): Promise<ReadonlySet<Oid>> {
  const infos = await Promise.all(oids.map((oid) => readInfo(from, oid)));
  return new Set(infos.flatMap((info) => (info?.type === "tree" ? [info.oid] : [])));
}

/** The commits that the tips lead to before the known ones, by id. */
async function newCommits(from: GitStore, tipOids: readonly Oid[], known: ReadonlySet<Oid>): Promise<ReadonlyMap<Oid, Commit> | undefined> {
  const found = new Map<Oid, Commit>();
  for (let wave = [...tipOids]; wave.length > 0; ) {
    if (found.size + wave.length > maxCommits) return undefined;
    const commits = await Promise.all(wave.map((oid) => readCommit(from, oid)));
    for (const commit of commits) {
      if (commit === undefined) return undefined;
      found.set(commit.oid, commit);
    }
    wave = [...new Set(commits.flatMap((commit) => commit?.parentOids ?? []))].filter((oid) => !known.has(oid) && !found.has(oid));
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

/** Where objects are read from: a store, or a repository that somebody else made. */
export type Lender = Pick<GitStore, "key" | "runner" | "environment">;

/**
 * The same by processes alone: git packs the difference while it sees both, and the borrower takes it as it takes a push, each object checked.
 * @throws ForgeError as {@link copyObjectsFrom}
 */
export async function packDifference(from: Lender, to: GitStore, { tipOids, knownOids, signal }: ObjectCopy): Promise<WriteReceipt> {
  const known = new Set(knownOids);
  const hasBase = await isPresent(to);
  const both = {
    ...from,
    environment: async () => ({ ...(await from.environment()), ...(hasBase && { GIT_ALTERNATE_OBJECT_DIRECTORIES: quotedPath(to.objectsPath) }) }),
  };
  const stdin = [...tipOids, ...[...known].map((oid) => `^${oid}`), ""].join("\n");
  const flags = { "--revs": true, "--stdout": true, "--thin": true, "--delta-base-offset": true, "--quiet": true } as const;
  const quarantine = await createQuarantine(to);
  try {
    // Read from the start: what a process leaves behind that has ended is lost.
    const { stdout } = await streamGit(both, { name: "pack-objects", flags }, { stdin, signal, idleMs });
    const { sizeBytes } = await quarantine.receivePack(stdout, { maxBytes: Number.MAX_SAFE_INTEGER, signal });
    await quarantine.checkConnected({ tipOids, knownOids: known, signal });
    await quarantine.promote();
    return { sizeBytes };
  } finally {
    await quarantine.discard();
  }
}
