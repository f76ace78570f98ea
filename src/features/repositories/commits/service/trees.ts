import type { RepositorySubject } from "../../../../access/subjects.ts";
import { malformed } from "../../../../core/errors.ts";
import { findEntry, readCommit, readInfo, readTree, resolvePrefix } from "../../../../git/objects/objects.ts";
import { isOid } from "../../../../git/run/commands.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { FileMode, Oid } from "../../../../git/types.ts";
import { codeStore } from "../../branches/service/deps.ts";
import { resolveRev } from "../../refs/service/resolve.ts";
import type { TreePage, TreePageEntry } from "../model.ts";
import { type Listing, listTree } from "../tree-listing.ts";
import type { CommitDeps } from "./loaders.ts";

/** Default page size. */
export const treePageSize = 1_000;

export interface TreeQuery {
  /** A revision or the id of a tree, optionally followed by `^{tree}`; `<revision>:<path>` for a directory of it. */
  readonly rev: string;
  readonly isRecursive: boolean;
  readonly page: number;
  readonly limit: number;
}

/** A page of a directory, or of everything below it. @throws ForgeError `malformed` for an unknown tree */
export async function getTree(deps: Pick<CommitDeps, "db" | "git">, repository: RepositorySubject, query: TreeQuery): Promise<TreePage> {
  const store = codeStore(deps, repository);
  const tree = await findTree(deps, store, query.rev);
  const offset = query.limit * (query.page - 1);
  const list = query.isRecursive ? listTree : listDirectory;
  const listing = tree && (await list(store, tree.treeOid, { offset, limit: query.limit }));
  if (tree === undefined || listing === undefined) throw malformed(`sha not found [${query.rev}]`);
  const { total, entries, isIncomplete } = listing;
  return {
    oid: tree.oid,
    entries: await Promise.all(entries.map(({ path, entry }) => describeEntry(store, path, entry))),
    page: query.page,
    total,
    isTruncated: isIncomplete || (offset < total && offset + query.limit < total),
  };
}

interface FoundTree {
  /** The commit or tree that the caller named. */
  readonly oid: Oid;
  readonly treeOid: Oid;
}

async function findTree(deps: Pick<CommitDeps, "db">, store: GitStore, rev: string): Promise<FoundTree | undefined> {
  const colon = rev.indexOf(":");
  const root = await findRoot(deps, store, colon === -1 ? rev : rev.slice(0, colon));
  if (root === undefined || colon === -1) return root;
  const entry = await findEntry(store, root.treeOid, rev.slice(colon + 1).replace(/\/+$/, ""));
  return entry?.mode === "040000" ? { oid: entry.oid, treeOid: entry.oid } : undefined;
}

async function findRoot(deps: Pick<CommitDeps, "db">, store: GitStore, word: string): Promise<FoundTree | undefined> {
  const rev = word.replace(/\^\{tree\}$/, "");
  const found = await resolveRev(deps, store, rev);
  const commit = found && (await readCommit(store, found.commitOid));
  if (commit !== undefined) return { oid: commit.oid, treeOid: commit.treeOid };
  const digits = rev.toLowerCase();
  if (isOid(digits)) return { oid: digits, treeOid: digits };
  const info = await resolvePrefix(store, digits, "tree");
  return info && { oid: info.oid, treeOid: info.oid };
}

/** The entries of one directory, not recursive. */
async function listDirectory(
  store: GitStore,
  treeOid: Oid,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<Listing | undefined> {
  const entries = await readTree(store, treeOid);
  return (
    entries && { total: entries.length, entries: entries.slice(offset, offset + limit).map((entry) => ({ path: entry.name, entry })), isIncomplete: false }
  );
}

const entryTypes: Readonly<Record<FileMode, TreePageEntry["type"]>> = {
  "040000": "tree",
  "100644": "blob",
  "100755": "blob",
  "120000": "blob",
  "160000": "commit",
};

async function describeEntry(store: GitStore, path: string, { mode, oid }: Listing["entries"][number]["entry"]): Promise<TreePageEntry> {
  const type = entryTypes[mode];
  const info = type === "blob" ? await readInfo(store, oid) : undefined;
  return { path, mode, type, oid, sizeBytes: info?.sizeBytes ?? 0 };
}
