import { readCommit, readTag, readTree } from "../objects/objects.ts";
import type { GitStore } from "../stores.ts";
import type { Commit, ObjectType, Oid, TreeEntry } from "../types.ts";
import { type ConnectivityCheck, knownTips } from "./connectivity.ts";

export interface PlainCheck {
  /** The repository itself. */
  readonly base: GitStore;
  /** The quarantine on top of it, whose objects are in the cache. */
  readonly quarantine: GitStore;
  readonly received: ReadonlyMap<Oid, ObjectType>;
  readonly tipOids: readonly Oid[];
  /** Tips whose entire history is in the store. */
  readonly knownOids: ConnectivityCheck["knownOids"];
}

/** A check with the known ones among the tips and the objects that received commits and tags name. */
interface PreparedCheck extends PlainCheck {
  readonly known: ReadonlySet<Oid>;
}

/** Maximum number of the store's trees to read before git is asked instead. */
const maxBaseTrees = 200;
const maxDepth = 50;

/**
 * Proves connectivity of an ordinary push, some commits on top of a known one: each entry of a new tree was received with it, or is in the
 * same directory of a commit with complete history. Mere presence in the store proves nothing: the object may belong to garbage that
 * housekeeping has begun to remove.
 * @returns the received objects that are fully connected; undefined if the proof fails: then git walks
 */
export async function provePlainly(check: PlainCheck): Promise<ReadonlySet<Oid> | undefined> {
  const { base, quarantine, received, tipOids } = check;
  const linked = await Promise.all(
    [...received].map(async ([oid, type]): Promise<readonly Oid[]> => {
      if (type === "commit") return (await readCommit(quarantine, oid))?.parentOids ?? [];
      const tag = type === "tag" ? await readTag(quarantine, oid) : undefined;
      return tag === undefined ? [] : [tag.targetOid];
    }),
  );
  const known = await knownTips(check.knownOids).among([...new Set([...tipOids, ...linked.flat()])]);
  const history = await newHistory({ ...check, known });
  if (history === undefined) return undefined;
  let baseTrees = 0;
  const wholeTrees = new Set<Oid>();
  const lacksNothing = new Set<Oid>(history.tagOids);

  const treeOf = async (oid: Oid): Promise<readonly TreeEntry[] | undefined> => {
    if (received.has(oid)) return readTree(quarantine, oid);
    baseTrees += 1;
    return baseTrees > maxBaseTrees ? undefined : readTree(base, oid);
  };

  /** @param completeOids trees at the same path in complete commits */
  const isWhole = async (oid: Oid, completeOids: readonly Oid[], depth: number): Promise<boolean> => {
    lacksNothing.add(oid);
    if (wholeTrees.has(oid) || completeOids.includes(oid)) return true;
    if (received.get(oid) !== "tree" || depth > maxDepth) return false;
    const completeEntries: TreeEntry[] = [];
    for (const completeOid of completeOids) {
      const entries = await treeOf(completeOid);
      if (entries === undefined) return false;
      completeEntries.push(...entries);
    }
    const present = new Set(completeEntries.map((entry) => `${kindOf(entry)} ${entry.oid}`));
    for (const entry of (await readTree(quarantine, oid)) ?? []) {
      const kind = kindOf(entry);
      if (kind === "commit") continue;
      if (present.has(`${kind} ${entry.oid}`) || (kind === "blob" && received.get(entry.oid) === "blob")) {
        lacksNothing.add(entry.oid);
        continue;
      }
      const inside = completeEntries.filter((other) => other.name === entry.name && kindOf(other) === "tree").map((other) => other.oid);
      if (kind !== "tree" || !(await isWhole(entry.oid, inside, depth + 1))) return false;
    }
    wholeTrees.add(oid);
    return true;
  };

  const trees = new Map<Oid, Oid>();
  for (const commit of history.commits) {
    const completeOids: Oid[] = [];
    for (const parentOid of commit.parentOids) {
      const treeOid = trees.get(parentOid) ?? (known.has(parentOid) ? (await readCommit(base, parentOid))?.treeOid : undefined);
      if (treeOid === undefined) return undefined;
      completeOids.push(treeOid);
    }
    if (!(await isWhole(commit.treeOid, completeOids, 0))) return undefined;
    trees.set(commit.oid, commit.treeOid);
    lacksNothing.add(commit.oid);
  }
  return new Set([...received.keys()].filter((oid) => lacksNothing.has(oid)));
}

/** The object type implied by an entry's mode. A submodule's commit is in another repository. */
function kindOf({ mode }: TreeEntry): ObjectType {
  if (mode === "040000") return "tree";
  return mode === "160000" ? "commit" : "blob";
}

interface NewHistory {
  /** Parents first. */
  readonly commits: ReadonlySet<Commit>;
  /** Annotated tags of commits. */
  readonly tagOids: ReadonlySet<Oid>;
}

/** The commits between the tips and the known ones, and tags of them. Undefined if there are other objects among them, or missing ones. */
async function newHistory({ base, quarantine, received, tipOids, known }: PreparedCheck): Promise<NewHistory | undefined> {
  const commits = new Set<Commit>();
  const tagOids = new Set<Oid>();
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
  /** The commit of a tip: itself, or the target of the tag. */
  const commitOf = async (oid: Oid): Promise<Oid | undefined> => {
    if (received.get(oid) !== "tag") return oid;
    const tag = await readTag(quarantine, oid);
    if (tag?.targetType !== "commit" || (known.has(tag.targetOid) && (await readCommit(base, tag.targetOid)) === undefined)) return undefined;
    tagOids.add(oid);
    return tag.targetOid;
  };
  for (const tipOid of tipOids) {
    const oid = await commitOf(tipOid);
    if (oid === undefined || !(await enter(oid))) return undefined;
    for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
      const parentOid = last.commit.parentOids[last.next];
      last.next += 1;
      if (parentOid === undefined) {
        commits.add(last.commit);
        open.pop();
      } else if (!(await enter(parentOid))) return undefined;
    }
  }
  return { commits, tagOids };
}
