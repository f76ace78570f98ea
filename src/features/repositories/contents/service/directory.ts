import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Page } from "../../../../core/paging.ts";
import { findEntry, readTree } from "../../../../git/objects/objects.ts";
import type { TreeEntry } from "../../../../git/types.ts";
import { codeStore } from "../../branches/service/deps.ts";
import { lastCommitOfPath, lastCommits } from "../../commits/service/last-commits.ts";
import type { DirectoryPage, Viewpoint } from "../model.ts";
import { commitReader, describeEntries } from "./entries.ts";
import { followLoneFolders } from "./lone-folders.ts";
import type { ReadDeps } from "./read.ts";
import { findReadme } from "./show.ts";

export interface DirectoryQuery {
  /** Empty for the root. */
  readonly path: string;
  readonly page: Page;
  readonly signal: AbortSignal;
}

const isFolder = ({ mode }: TreeEntry): boolean => mode === "040000" || mode === "160000";

/**
 * A page of a directory of any size, directories first, each entry with the commit that last changed it, and the directory's readme. Blobs of
 * the entries are not read.
 * @returns undefined if the path is not a directory
 */
export async function readDirectory(
  deps: ReadDeps,
  repository: RepositorySubject,
  at: Viewpoint,
  { path, page, signal }: DirectoryQuery,
): Promise<DirectoryPage | undefined> {
  const store = codeStore(deps, repository);
  const rootTreeOid = at.commit.treeOid;
  const directory = await findEntry(store, rootTreeOid, path);
  if (directory?.mode !== "040000") return undefined;
  const tree = (await readTree(store, directory.oid)) ?? [];
  const all = [...tree.filter(isFolder), ...tree.filter((entry) => !isFolder(entry))];
  const { byName } = await lastCommits(deps, { store, tipOid: at.commit.oid, signal }, path);
  const pathOf = (name: string): string => (path === "" ? name : `${path}/${name}`);
  const commitOf = commitReader(store);
  const lastOid = path === "" ? undefined : await lastCommitOfPath(deps, { store, tipOid: at.commit.oid, signal }, path);
  const shown = all.slice(page.offset, page.offset + page.limit);
  const joined = await followLoneFolders(store, shown);
  const entries = await Promise.all(
    shown.map(async ({ name, mode, oid }) => ({
      path: pathOf(joined.get(name)?.path ?? name),
      mode,
      oid: joined.get(name)?.oid ?? oid,
      lastCommit: await commitOf(byName.get(name)),
    })),
  );
  const found = page.page === 1 ? findReadme(all) : undefined;
  const description = { store, rootTreeOid, content: false, lfs: true, maxContentBytes: deps.config.repositories.max_blob_bytes };
  const [readme] =
    found === undefined ? [] : await describeEntries([{ path: pathOf(found.name), mode: found.mode, oid: found.oid, lastCommitOid: undefined }], description);
  return { entries, total: all.length, readme, lastCommit: (await commitOf(lastOid)) ?? at.commit };
}
