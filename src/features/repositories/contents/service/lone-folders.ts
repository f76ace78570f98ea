import { readInfo, readTree } from "../../../../git/objects/objects.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Oid, TreeEntry } from "../../../../git/types.ts";

/** Folders of a directory that are followed; a page with more shows the others as they are. */
const maxFollowed = 100;
const maxDepth = 20;
/** A tree with one entry is smaller: mode, name of at most 255 bytes, and id. Larger trees are not parsed. */
const maxLoneTreeBytes = 300;

/** For each folder that contains nothing but one folder: the last one of the chain, by the name of the first one. No statement. */
export async function followLoneFolders(
  store: GitStore,
  entries: readonly TreeEntry[],
): Promise<ReadonlyMap<string, { readonly path: string; readonly oid: Oid }>> {
  const folders = entries.filter(({ mode }) => mode === "040000").slice(0, maxFollowed);
  const ends = await Promise.all(folders.map(async ({ name, oid }) => [name, await followFrom(store, name, oid)] as const));
  return new Map(ends.filter(([name, { path }]) => path !== name));
}

async function followFrom(store: GitStore, name: string, oid: Oid): Promise<{ readonly path: string; readonly oid: Oid }> {
  const end = { path: name, oid };
  for (let depth = 0; depth < maxDepth; depth++) {
    const info = await readInfo(store, end.oid);
    const tree = info !== undefined && info.sizeBytes <= maxLoneTreeBytes ? await readTree(store, end.oid) : undefined;
    const [only, ...others] = tree ?? [];
    if (only?.mode !== "040000" || others.length > 0) break;
    end.path += `/${only.name}`;
    end.oid = only.oid;
  }
  return end;
}
