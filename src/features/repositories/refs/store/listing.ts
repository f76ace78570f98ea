import { compiled, type Slots } from "../../../../db/compiled.ts";
import type { Reader } from "../../../../db/db.ts";
import { hiddenPrefix, tagPrefix } from "../model.ts";

/** The refs of a store and the version that they belong to, read in one statement: nothing can move in between. */
export interface RefListing {
  readonly version: number;
  /** Full name. */
  readonly headRef: string;
  /** By name. */
  readonly refs: readonly ListedRef[];
}

export interface ListedRef {
  readonly name: string;
  readonly oid: string;
  /** The object that an annotated tag leads to in the end; empty for everything else. */
  readonly peeledOid: string;
}

/**
 * `tags`: annotated tags. `advertised`: all that clients may know of. `all`: also the refs that only keep commits from housekeeping.
 */
export type RefScope = "tags" | "advertised" | "all";

const selectListing = (isPeeled: boolean) =>
  compiled((db, given: Slots<{ storeId: number; start: string; end: string }>) =>
    db.sql
      .selectFrom("git_stores as s")
      .leftJoin("refs as r", (join) => {
        const inRange = join.onRef("r.store_id", "=", "s.id").on("r.name", ">=", given.start).on("r.name", "<", given.end);
        return isPeeled ? inRange.on("r.peeled_oid", "<>", "") : inRange;
      })
      .select(["s.refs_version as version", "s.head_ref as headRef", "r.name", "r.oid", "r.peeled_oid as peeledOid"])
      .where("s.id", "=", given.storeId)
      .orderBy("r.name"),
  );

const selectAll = selectListing(false);
const selectPeeled = selectListing(true);

/** The text that follows all those below a prefix that ends in a slash. */
const endOf = (prefix: string): string => `${prefix.slice(0, -1)}0`;

/** Undefined for a store that does not exist. */
export async function readListing(db: Reader, storeId: number, scope: RefScope): Promise<RefListing | undefined> {
  const prefix = scope === "tags" ? tagPrefix : "refs/";
  const rows = await (scope === "tags" ? selectPeeled : selectAll)(db, { storeId, start: prefix, end: endOf(prefix) });
  const [first] = rows;
  if (first === undefined) return undefined;
  const refs: ListedRef[] = [];
  for (const { name, oid, peeledOid } of rows) {
    if (name === null || oid === null || (scope === "advertised" && name.startsWith(hiddenPrefix))) continue;
    refs.push({ name, oid, peeledOid: peeledOid ?? "" });
  }
  return { version: first.version, headRef: first.headRef, refs };
}

const selectVersion = compiled((db, given: Slots<{ storeId: number }>) =>
  db.sql.selectFrom("git_stores").select("refs_version as version").where("id", "=", given.storeId),
);

/** Counts up with every transaction that moves a ref or HEAD; undefined for a store that does not exist. */
export async function readVersion(db: Reader, storeId: number): Promise<number | undefined> {
  const [row] = await selectVersion(db, { storeId });
  return row?.version;
}
