import { compiled, type Slots } from "../../../../db/compiled.ts";
import type { Reader } from "../../../../db/db.ts";
import { hiddenPrefix, tagPrefix } from "../model.ts";

/** The refs of a store and their version, read consistently by one statement. */
export interface RefListing {
  readonly version: number;
  /** Full name. */
  readonly headRef: string;
  /** Sorted by name. */
  readonly refs: readonly ListedRef[];
}

export interface ListedRef {
  readonly name: string;
  readonly oid: string;
  /** The peeled target of an annotated tag; empty for everything else. */
  readonly peeledOid: string;
}

/**
 * `tags`: annotated tags. `advertised`: all refs visible to clients. `all`: also the hidden refs that protect commits from housekeeping.
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

/** The exclusive upper bound of all names with a prefix that ends in a slash. */
const endOf = (prefix: string): string => `${prefix.slice(0, -1)}0`;

/** Undefined for an unknown store. */
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

/** Incremented by every transaction that moves a ref or HEAD; undefined for an unknown store. */
export async function readVersion(db: Reader, storeId: number): Promise<number | undefined> {
  const [row] = await selectVersion(db, { storeId });
  return row?.version;
}
