import { notFound, unavailable } from "../../../../core/errors.ts";
import type { Reader } from "../../../../db/db.ts";
import { readCommit, readTree } from "../../../../git/objects/objects.ts";
import type { GitStore, GitStores } from "../../../../git/stores.ts";
import type { Commit, Oid } from "../../../../git/types.ts";
import { findRef } from "../../refs/service/read.ts";
import { getStore } from "../../refs/service/stores.ts";
import { isCalled, nameOfFile, type PageName } from "../page-name.ts";
import type { WikiOwner } from "./refs.ts";

export interface TipDeps {
  readonly db: Reader;
  readonly git: GitStores;
}

/** The present state of a wiki. */
export interface WikiTip {
  readonly store: GitStore;
  readonly commit: Commit;
  readonly pages: readonly PageEntry[];
}

/** A page with its file. */
export interface PageEntry extends PageName {
  readonly oid: Oid;
}

/** Two statements. Undefined for a wiki without pages. */
export async function findTip(deps: TipDeps, { wikiStoreId, objectFormat }: Omit<WikiOwner, "id">): Promise<WikiTip | undefined> {
  const row = wikiStoreId === null ? undefined : await getStore(deps.db, wikiStoreId);
  const ref = row && (await findRef(deps.db, row.id, row.headRef));
  if (row === undefined || ref === undefined) return undefined;
  const store = deps.git.store(row.id, objectFormat, row.packsVersion);
  return readTip(store, ref.oid);
}

/** @throws ForgeError `not_found` for a wiki without pages */
export async function requireTip(deps: TipDeps, repository: WikiOwner): Promise<WikiTip> {
  const tip = await findTip(deps, repository);
  if (tip === undefined) throw notFound();
  return tip;
}

/** @throws ForgeError `unavailable` for a missing commit, which means damage */
export async function readTip(store: GitStore, oid: Oid): Promise<WikiTip> {
  const commit = await readCommit(store, oid);
  const entries = commit && (await readTree(store, commit.treeOid));
  if (commit === undefined || entries === undefined) throw unavailable("the wiki cannot be read", { meta: { storeId: store.id, oid } });
  const pages = entries.flatMap(({ mode, name, oid }) => {
    const page = mode === "100644" || mode === "100755" ? nameOfFile(name) : undefined;
    return page === undefined ? [] : [{ ...page, oid }];
  });
  return { store, commit, pages };
}

/** Finds a page by any of its names in URLs. */
export const findPage = ({ pages }: WikiTip, called: string): PageEntry | undefined => pages.find((page) => isCalled(page, called));
