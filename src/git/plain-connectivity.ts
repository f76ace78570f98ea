import { readCommit, readTree } from "./objects.ts";
import type { GitStore } from "./stores.ts";
import type { Commit, ObjectType, Oid, TreeEntry } from "./types.ts";

export interface PlainCheck {
  /** The repository itself. */
  readonly base: GitStore;
  /** The quarantine in front of it, whose objects are in the cache. */
  readonly quarantine: GitStore;
  /** What has arrived. */
  readonly received: ReadonlyMap<Oid, ObjectType>;
  readonly tipOids: readonly Oid[];
  /** Tips whose whole history is in the store. */
  readonly known: ReadonlySet<Oid>;
}

/** Trees of the store that are read before git is asked instead. */
const maxBaseTrees = 200;
const maxDepth = 50;

/**
 * Proves for the usual push, some commits on top of a known one, that nothing is missing: what a new tree names has arrived with it,
 * or stands in the same directory of a commit whose whole history is here. What merely lies in the store proves nothing: it may be
 * what is left of something that housekeeping has begun to remove.
 * @returns false when this does not prove it: then git walks
 */
export async function isPlainlyConnected(check: PlainCheck): Promise<boolean> {
  const { base, quarantine, received, known } = check;
  const commits = await newCommits(check);
  if (commits === undefined) return false;
  let baseTrees = 0;
  const whole = new Set<Oid>();

  const treeOf = async (oid: Oid): Promise<readonly TreeEntry[] | undefined> => {
    if (received.has(oid)) return readTree(quarantine, oid);
    baseTrees += 1;
    return baseTrees > maxBaseTrees ? undefined : readTree(base, oid);
  };

  /** @param besideOids trees of the same place in whole commits */
  const isWhole = async (oid: Oid, besideOids: readonly Oid[], depth: number): Promise<boolean> => {
    if (whole.has(oid) || besideOids.includes(oid)) return true;
    if (received.get(oid) !== "tree" || depth > maxDepth) return false;
    const beside: TreeEntry[] = [];
    for (const besideOid of besideOids) {
      const entries = await treeOf(besideOid);
      if (entries === undefined) return false;
      beside.push(...entries);
    }
    const present = new Set(beside.map((entry) => `${kindOf(entry)} ${entry.oid}`));
    for (const entry of (await readTree(quarantine, oid)) ?? []) {
      const kind = kindOf(entry);
      if (kind === "commit" || present.has(`${kind} ${entry.oid}`)) continue;
      if (kind === "blob" && received.get(entry.oid) === "blob") continue;
      const inside = beside.filter((other) => other.name === entry.name && kindOf(other) === "tree").map((other) => other.oid);
      if (kind !== "tree" || !(await isWhole(entry.oid, inside, depth + 1))) return false;
    }
    whole.add(oid);
    return true;
  };

  const trees = new Map<Oid, Oid>();
  for (const commit of commits) {
    const besideOids: Oid[] = [];
    for (const parentOid of commit.parentOids) {
      const treeOid = trees.get(parentOid) ?? (known.has(parentOid) ? (await readCommit(base, parentOid))?.treeOid : undefined);
      if (treeOid === undefined) return false;
      besideOids.push(treeOid);
    }
    if (!(await isWhole(commit.treeOid, besideOids, 0))) return false;
    trees.set(commit.oid, commit.treeOid);
  }
  return true;
}

/** What an entry's mode says that it names; a submodule's commit is somewhere else. */
function kindOf({ mode }: TreeEntry): ObjectType {
  if (mode === "040000") return "tree";
  return mode === "160000" ? "commit" : "blob";
}

/** The commits between the tips and the known ones, parents first; undefined when something else is among them, or not here. */
async function newCommits({ quarantine, received, tipOids, known }: PlainCheck): Promise<readonly Commit[] | undefined> {
  const ordered = new Set<Commit>();
  const seen = new Set<Oid>();
  const open: { readonly commit: Commit; next: number }[] = [];
  const enter = async (oid: Oid): Promise<boolean> => {
    if (seen.has(oid) || known.has(oid)) return true;
    const commit = received.get(oid) === "commit" ? await readCommit(quarantine, oid) : undefined;
    if (commit === undefined) return false;
    seen.add(oid);
    open.push({ commit, next: 0 });
    return true;
  };
  for (const tipOid of tipOids) {
    if (!(await enter(tipOid))) return undefined;
    for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
      const parentOid = last.commit.parentOids[last.next];
      last.next += 1;
      if (parentOid === undefined) {
        ordered.add(last.commit);
        open.pop();
      } else if (!(await enter(parentOid))) return undefined;
    }
  }
  return [...ordered];
}
