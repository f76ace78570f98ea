import type { RepositorySubject } from "../../../../access/subjects.ts";
import { readTree } from "../../../../git/objects/objects.ts";
import type { TreeEntry } from "../../../../git/types.ts";
import { codeStore } from "../../branches/service/deps.ts";
import type { SourceFolder, SourceNode, Viewpoint } from "../model.ts";
import type { ViewpointDeps } from "./viewpoint.ts";

/** Entries of a folder in the tree; the page of the folder shows the others. */
const maxNodes = 200;
const maxDepth = 50;

/** The folders on the way to a file or folder with their entries, folders first. No statement. */
export async function readSourceTree(deps: ViewpointDeps, repository: RepositorySubject, at: Viewpoint, path: string): Promise<SourceFolder> {
  const store = codeStore(deps, repository);
  const read = async (treeOid: string, prefix: string, [wanted, ...rest]: readonly string[], depth: number): Promise<SourceFolder> => {
    const all = (await readTree(store, treeOid)) ?? [];
    const inside = wanted === undefined ? undefined : all.find(({ name }) => name === wanted);
    const shown = shownOf(all, inside);
    const opened =
      inside?.mode === "040000" && depth < maxDepth
        ? { name: inside.name, folder: await read(inside.oid, `${prefix}${inside.name}/`, rest, depth + 1) }
        : undefined;
    const nodes = shown.map(({ name, mode }): SourceNode => ({ name, path: prefix + name, mode, folder: opened?.name === name ? opened.folder : undefined }));
    return { nodes, hiddenCount: all.length - shown.length };
  };
  return read(at.commit.treeOid, "", path.split("/"), 0);
}

function shownOf(all: readonly TreeEntry[], inside: TreeEntry | undefined): readonly TreeEntry[] {
  const isFolder = ({ mode }: TreeEntry): boolean => mode === "040000" || mode === "160000";
  const first = [...all.filter(isFolder), ...all.filter((entry) => !isFolder(entry))].slice(0, maxNodes);
  return inside === undefined || first.some(({ name }) => name === inside.name) ? first : [...first, inside];
}
