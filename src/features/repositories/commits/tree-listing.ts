import { readTree } from "../../../git/objects/objects.ts";
import type { GitStore } from "../../../git/stores.ts";
import type { Oid, TreeEntry } from "../../../git/types.ts";

/**
 * Pages of a tree with everything below it. Twelve objects can stand for ten billion paths, so what is counted is counted once for each
 * tree, and a page is reached by stepping over whole directories: the cost follows the objects that there are, not the paths.
 */

export interface Listing {
  /** Entries on all pages. */
  readonly total: number;
  readonly entries: readonly ListedEntry[];
  /** Something below is left out of all pages: too many objects, or nested too deeply. */
  readonly isIncomplete: boolean;
}

export interface ListedEntry {
  readonly path: string;
  readonly entry: TreeEntry;
}

export interface ListingLimits {
  /** Levels of directories. */
  readonly levels: number;
  /** Different trees. */
  readonly trees: number;
  /** Entries of all different trees together. */
  readonly entries: number;
  /** Characters of a path: longer ones cannot be checked out anywhere. */
  readonly pathLength: number;
}

const defaultLimits: ListingLimits = { levels: 1_000, trees: 100_000, entries: 2_000_000, pathLength: 4_096 };

export interface ListingRange {
  readonly offset: number;
  readonly limit: number;
}

/** The order of `git ls-tree -r -t`: a directory, then what is in it. Undefined when there is no such tree. */
export async function listTree(store: GitStore, rootOid: Oid, range: ListingRange, limits: ListingLimits = defaultLimits): Promise<Listing | undefined> {
  const trees = await readTrees(store, rootOid, limits);
  if (trees === undefined) return undefined;
  const sizes = countEntries(trees.byOid, rootOid);
  const page = pageEntries(trees.byOid, sizes, rootOid, { range, limits });
  return { total: sizes.get(rootOid) ?? 0, entries: page.entries, isIncomplete: trees.isIncomplete || page.isIncomplete };
}

type Trees = ReadonlyMap<Oid, readonly TreeEntry[]>;

/** Every different tree once, level by level, the trees of a level together. */
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

/** How many entries are below each tree, at any depth. */
function countEntries(trees: Trees, rootOid: Oid): ReadonlyMap<Oid, number> {
  const sizes = new Map<Oid, number>();
  // A stack of its own, since the nesting can be deeper than the program's.
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
    // Only names that are too long to be listed can take so many steps to a page.
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
