import { readTree } from "../../../git/objects/objects.ts";
import type { GitStore } from "../../../git/stores.ts";
import type { Oid, TreeEntry } from "../../../git/types.ts";

/**
 * Pages of a recursive tree listing. Twelve objects can expand to ten billion paths, so each tree is counted once, and paging steps over
 * whole directories: the cost depends on the number of objects, not of paths.
 */

export interface Listing {
  /** Number of entries on all pages. */
  readonly total: number;
  readonly entries: readonly ListedEntry[];
  /** Entries are missing from all pages: there are too many objects, or they are nested too deeply. */
  readonly isIncomplete: boolean;
}

export interface ListedEntry {
  readonly path: string;
  readonly entry: TreeEntry;
}

export interface ListingLimits {
  /** Maximum depth of directories. */
  readonly levels: number;
  /** Maximum number of distinct trees. */
  readonly trees: number;
  /** Maximum number of entries of all distinct trees together. */
  readonly entries: number;
  /** Maximum path length in characters; longer paths cannot be checked out. */
  readonly pathLength: number;
}

const defaultLimits: ListingLimits = { levels: 1_000, trees: 100_000, entries: 2_000_000, pathLength: 4_096 };

export interface ListingRange {
  readonly offset: number;
  readonly limit: number;
}

/** Lists in the order of `git ls-tree -r -t`: a directory, then its entries. Undefined if the tree does not exist. */
export async function listTree(store: GitStore, rootOid: Oid, range: ListingRange, limits: ListingLimits = defaultLimits): Promise<Listing | undefined> {
  const trees = await readTrees(store, rootOid, limits);
  if (trees === undefined) return undefined;
  const sizes = countEntries(trees.byOid, rootOid);
  const page = pageEntries(trees.byOid, sizes, rootOid, { range, limits });
  return { total: sizes.get(rootOid) ?? 0, entries: page.entries, isIncomplete: trees.isIncomplete || page.isIncomplete };
}

type Trees = ReadonlyMap<Oid, readonly TreeEntry[]>;

/** Reads every distinct tree once, one batch per level. */
async function readTrees(store: GitStore, rootOid: Oid, limits: ListingLimits): Promise<{ readonly byOid: Trees; readonly isIncomplete: boolean } | undefined> {
  const byOid = new Map<Oid, readonly TreeEntry[]>();
  let level = [rootOid];
  let entryCount = 0;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === limits.levels || byOid.size + level.length > limits.trees || entryCount > limits.entries) return { byOid, isIncomplete: true };
    const read = await Promise.all(level.map((oid) => readTree(store, oid)));
    const below = new Set<Oid>();
    for (const [index, entries] of read.entries()) {
      if (entries === undefined) continue;
      byOid.set(level[index] as Oid, entries);
      entryCount += entries.length;
    }
    for (const entries of read) for (const { mode, oid } of entries ?? []) if (mode === "040000" && !byOid.has(oid)) below.add(oid);
    if (depth === 0 && byOid.size === 0) return undefined;
    level = [...below];
  }
  return { byOid, isIncomplete: false };
}

/** Number of entries below each tree, at any depth. */
function countEntries(trees: Trees, rootOid: Oid): ReadonlyMap<Oid, number> {
  const sizes = new Map<Oid, number>();
  // An explicit stack, because the nesting can exceed the call stack.
  const stack = [rootOid];
  for (let oid = stack.at(-1); oid !== undefined; oid = stack.at(-1)) {
    const below = (trees.get(oid) ?? []).filter(({ mode }) => mode === "040000");
    const open = sizes.has(oid) ? [] : below.filter((entry) => trees.has(entry.oid) && !sizes.has(entry.oid));
    if (open.length > 0) {
      for (const entry of open) stack.push(entry.oid);
      continue;
    }
    stack.pop();
    let size = trees.get(oid)?.length ?? 0;
    for (const entry of below) size += sizes.get(entry.oid) ?? 0;
    sizes.set(oid, Math.min(size, Number.MAX_SAFE_INTEGER));
  }
  return sizes;
}

interface Position {
  readonly entries: readonly TreeEntry[];
  readonly prefix: string;
  next: number;
}

interface PageQuery {
  readonly range: ListingRange;
  readonly limits: ListingLimits;
}

function pageEntries(
  trees: Trees,
  sizes: ReadonlyMap<Oid, number>,
  rootOid: Oid,
  { range, limits }: PageQuery,
): { readonly entries: ListedEntry[]; readonly isIncomplete: boolean } {
  const listed: ListedEntry[] = [];
  let toSkip = range.offset;
  let isIncomplete = false;
  const stack: Position[] = [{ entries: trees.get(rootOid) ?? [], prefix: "", next: 0 }];
  for (let visited = 0; listed.length < range.limit; visited++) {
    const position = stack.at(-1);
    if (position === undefined) break;
    // Only names that are too long to be listed can cause this many steps.
    if (visited > limits.entries) return { entries: listed, isIncomplete: true };
    const entry = position.entries[position.next];
    position.next += 1;
    if (entry === undefined) {
      stack.pop();
      continue;
    }
    const path = position.prefix + entry.name;
    if (toSkip > 0) toSkip -= 1;
    else if (path.length <= limits.pathLength) listed.push({ path, entry });
    else isIncomplete = true;
    if (entry.mode !== "040000") continue;
    const size = sizes.get(entry.oid) ?? 0;
    if (toSkip >= size) toSkip -= size;
    else if (path.length >= limits.pathLength) isIncomplete = true;
    else stack.push({ entries: trees.get(entry.oid) ?? [], prefix: `${path}/`, next: 0 });
  }
  return { entries: listed, isIncomplete };
}
