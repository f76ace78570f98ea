import { setImmediate } from "node:timers/promises";
import { newTree } from "../objects/format.ts";
import { emptyTreeOid } from "../objects/hash.ts";
import type { GitObject, ObjectFormat, Oid, TreeEntry } from "../types.ts";

export interface ThreeTrees {
  /** Undefined: unrelated histories. */
  readonly baseOid: Oid | undefined;
  readonly oursOid: Oid;
  readonly theirsOid: Oid;
}

export interface PlainMerge {
  readonly treeOid: Oid;
  /** The new trees; not stored yet. */
  readonly trees: readonly GitObject[];
}

type ReadTree = (oid: Oid) => Promise<readonly TreeEntry[]>;

/**
 * Merges trees without git if no file was changed on both sides. Most merges are like that, and read only the trees on the way to the
 * changes.
 * Undefined if git has to decide: a file changed on both sides, or a possible half of a rename in which the other side takes part.
 * Only a deletion can be half of a rename, so a path deleted on both sides, or deleted on one and changed on the other, is left to git.
 * Merges of very many directories or entries are also left to git.
 */
export async function mergePlainly(format: ObjectFormat, read: ReadTree, { baseOid, oursOid, theirsOid }: ThreeTrees): Promise<PlainMerge | undefined> {
  if (oursOid === theirsOid || baseOid === theirsOid) return { treeOid: oursOid, trees: [] };
  if (baseOid === oursOid) return { treeOid: theirsOid, trees: [] };
  const trees: GitObject[] = [];
  const making = { format, read, trees, merged: new Map<string, Merged>(), entries: 0, entriesInTurn: 0 };
  const treeOid = await mergeDirectory(making, baseOid, oursOid, theirsOid);
  if (treeOid === undefined) return undefined;
  if (treeOid !== "empty") return { treeOid, trees };
  return { treeOid: emptyTreeOid(format), trees: [...trees, newTree(format, [])] };
}

/** Maximum number of directories and entries merged here. Git has a time limit for larger merges. */
const maxDirectories = 5_000;
const maxEntries = 500_000;
/** Yields to the event loop after this many entries: trees come from the cache, so reading them does not yield. */
const turnEntries = 10_000;

interface Making {
  readonly format: ObjectFormat;
  readonly read: ReadTree;
  readonly trees: GitObject[];
  /**
   * Merged directories by the ids of their three trees. Trees that contain the same tree many times at each level have more paths than can
   * be visited, so each combination is merged once.
   */
  readonly merged: Map<string, Merged>;
  entries: number;
  entriesInTurn: number;
}

type Merged = Oid | "empty" | undefined;

type Named = ReadonlyMap<string, TreeEntry>;

async function mergeDirectory(making: Making, baseOid: Oid | undefined, oursOid: Oid, theirsOid: Oid): Promise<Merged> {
  const key = `${baseOid ?? ""} ${oursOid} ${theirsOid}`;
  if (making.merged.has(key)) return making.merged.get(key);
  if (making.merged.size >= maxDirectories) return undefined;
  // Also counts directories that are still being merged.
  making.merged.set(key, undefined);
  const merged = await mergeEntries(making, baseOid, oursOid, theirsOid);
  making.merged.set(key, merged);
  return merged;
}

async function mergeEntries(making: Making, baseOid: Oid | undefined, oursOid: Oid, theirsOid: Oid): Promise<Merged> {
  const entriesOf = async (oid: Oid | undefined): Promise<Named> =>
    new Map(oid === undefined ? [] : (await making.read(oid)).map((entry) => [entry.name, entry] as const));
  const [base, ours, theirs] = await Promise.all([baseOid, oursOid, theirsOid].map(entriesOf));
  if (base === undefined || ours === undefined || theirs === undefined) throw new Error("three trees were read");
  const entries = base.size + ours.size + theirs.size;
  making.entries += entries;
  if (making.entries > maxEntries) return undefined;
  making.entriesInTurn += entries;
  if (making.entriesInTurn >= turnEntries) {
    making.entriesInTurn = 0;
    await setImmediate();
  }
  const merged: TreeEntry[] = [];
  for (const name of new Set([...base.keys(), ...ours.keys(), ...theirs.keys()])) {
    const decided = decide(base.get(name), ours.get(name), theirs.get(name));
    if (decided === undefined) return undefined;
    if (decided.kind === "take") {
      if (decided.entry !== undefined) merged.push(decided.entry);
      continue;
    }
    const oid = await mergeDirectory(making, decided.baseOid, decided.oursOid, decided.theirsOid);
    if (oid === undefined) return undefined;
    if (oid !== "empty") merged.push({ mode: "040000", name, oid });
  }
  if (merged.length === 0) return "empty";
  const tree = newTree(making.format, merged);
  if (tree.oid !== oursOid && tree.oid !== theirsOid) making.trees.push(tree);
  return tree.oid;
}

type Decision = { readonly kind: "take"; readonly entry: TreeEntry | undefined } | ({ readonly kind: "descend" } & ThreeTrees);

const same = (one: TreeEntry | undefined, other: TreeEntry | undefined): boolean => one?.oid === other?.oid && one?.mode === other?.mode;
const isTree = (entry: TreeEntry | undefined): boolean => entry?.mode === "040000";

function decide(base: TreeEntry | undefined, ours: TreeEntry | undefined, theirs: TreeEntry | undefined): Decision | undefined {
  if (same(base, ours)) return { kind: "take", entry: theirs };
  if (same(base, theirs)) return { kind: "take", entry: ours };
  if (same(ours, theirs)) {
    // Deleted on both sides, or a directory that may contain deletions.
    const couldHideDeletions = ours === undefined || (base !== undefined && (isTree(ours) || isTree(base)));
    return couldHideDeletions ? undefined : { kind: "take", entry: ours };
  }
  const canDescend = ours !== undefined && theirs !== undefined && isTree(ours) && isTree(theirs) && (base === undefined || isTree(base));
  return canDescend ? { kind: "descend", baseOid: base?.oid, oursOid: ours.oid, theirsOid: theirs.oid } : undefined;
}
