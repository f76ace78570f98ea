import type { Page, Paged } from "../../../../core/paging.ts";
import type { Reader } from "../../../../db/db.ts";
import type { KnownTips } from "../../../../git/receive/connectivity.ts";
import { type GitStore, needPacks } from "../../../../git/stores.ts";
import type { Oid } from "../../../../git/types.ts";
import { branchPrefix, type RefView, shortName, tagPrefix } from "../model.ts";
import { readBelow, readVersions } from "../store/listing.ts";
import { listNewest, loadRefs, loadTips, pageRefs, pageRefsByAge, type RefsByAge, searchRefs } from "../store/refs.ts";

/** One ref by its full name. */
export const findRef = async (db: Reader, storeId: number, name: string): Promise<RefView | undefined> => (await loadRefs(db, storeId, [name])).get(name);

/** Refs by full name; unknown names are omitted. One statement. */
export const findRefs = (db: Reader, storeId: number, names: readonly string[]): Promise<ReadonlyMap<string, RefView>> => loadRefs(db, storeId, names);

/**
 * The short name of a branch that a caller names: `main` for `main`, `heads/main` and `refs/heads/main`. A branch with the short name `heads/main`
 * takes precedence. The branch need not exist. One statement for a name that begins with `heads/`, otherwise none.
 */
export async function branchNameOf(db: Reader, storeId: number, given: string): Promise<string> {
  // No short name begins with `refs/`.
  if (given.startsWith(branchPrefix)) return given.slice(branchPrefix.length);
  if (!`refs/${given}`.startsWith(branchPrefix)) return given;
  const fullName = `refs/${given}`;
  const refs = await loadRefs(db, storeId, [branchPrefix + given, fullName]);
  return refs.has(branchPrefix + given) || !refs.has(fullName) ? given : fullName.slice(branchPrefix.length);
}

/** All refs whose full names begin with `prefix`, sorted by name; `refs/` for all. One statement for up to 5,000 refs. */
export const allRefs = async (db: Reader, storeId: number, prefix = "refs/"): Promise<readonly RefView[]> => (await readBelow(db, storeId, prefix))?.refs ?? [];

/** The targets of the refs whose full names begin with `prefix`, which git processes of this handle can read. Statements as {@link allRefs}. */
export async function refTargets(db: Reader, store: GitStore, prefix = "refs/"): Promise<ReadonlySet<Oid>> {
  const listing = await readBelow(db, store.id, prefix);
  if (listing === undefined) return new Set();
  needPacks(store, listing.packsVersion);
  return new Set(listing.refs.map(({ oid }) => oid));
}

/** The targets of all refs, for checks that objects are connected. They are looked up when they are needed. */
export const refTips = (db: Reader, store: GitStore): KnownTips => ({
  among: (oids) => loadTips(db, store.id, oids),
  all: () => refTargets(db, store),
});

/** Incremented by every transaction that moves a ref or HEAD; undefined for an unknown store. One statement. */
export const refsVersionOf = async (db: Reader, storeId: number): Promise<number | undefined> => (await readVersions(db, storeId))?.version;

/** At most `limit` branches and `limit` tags, newest first. Two statements. */
export const newestRefs = async (db: Reader, storeId: number, limit: number): Promise<readonly RefView[]> => [
  ...(await listNewest(db, storeId, branchPrefix, limit)),
  ...(await listNewest(db, storeId, tagPrefix, limit)),
];

/** Number of branches, and of tags, that fields suggest. */
const suggested = 100;

/** Names of the newest branches and tags, for the suggestions of fields. Two statements. */
export async function offerNewestRefs(
  db: Reader,
  storeId: number,
  limit = suggested,
): Promise<{ readonly branches: readonly string[]; readonly tags: readonly string[] }> {
  const names = (await newestRefs(db, storeId, limit)).map(({ name }) => name);
  const below = (prefix: string): string[] => names.filter((name) => name.startsWith(prefix)).map(shortName);
  return { branches: below(branchPrefix), tags: below(tagPrefix) };
}

/** A page of the branches, most recent commits first. Two statements. */
export const pageBranches = (db: Reader, storeId: number, page: Page): Promise<Paged<RefView>> => pageRefs(db, storeId, branchPrefix, page);

/** The same for branches with a part in their name, in any case. Two statements. */
export const searchBranches = (db: Reader, storeId: number, part: string, page: Page): Promise<Paged<RefView>> =>
  searchRefs(db, storeId, branchPrefix, part, page);

/** The branches other than `exceptBranch` whose tips are of a time, newest first. Two statements. */
export const pageBranchesByAge = (
  db: Reader,
  storeId: number,
  { exceptBranch, ...age }: Pick<RefsByAge, "sinceMs" | "beforeMs"> & { readonly exceptBranch: string },
  page: Page,
): Promise<Paged<RefView>> => pageRefsByAge(db, storeId, { ...age, prefix: branchPrefix, except: branchPrefix + exceptBranch }, page);

/** The same for tags. Two statements. */
export const searchTags = (db: Reader, storeId: number, part: string, page: Page): Promise<Paged<RefView>> => searchRefs(db, storeId, tagPrefix, part, page);

/** A page of the tags, newest first. Two statements. */
export const pageTags = (db: Reader, storeId: number, page: Page): Promise<Paged<RefView>> => pageRefs(db, storeId, tagPrefix, page);
