import { sql } from "kysely";
import { compiled, type Slots } from "../../../../db/compiled.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { RefView } from "../model.ts";
import { type RefRow, toRefView } from "./listing.ts";

/** The names of a version that moves more refs are not recorded, and its listing is read as a whole. */
const maxRecorded = 200;
/** Takes the place of the names that are not recorded. */
const unrecorded = "";

const insertRows = compiled((tx: Tx, given: Slots<{ storeId: number; version: number; token: number; names: readonly string[] }>) =>
  tx.sql
    .insertInto("ref_moves")
    .columns(["store_id", "version", "token", "name"])
    .expression(
      tx.dialect === "sqlite"
        ? sql`select distinct ${given.storeId}, ${given.version}, ${given.token}, value from json_each(${given.names})`
        : sql`select distinct ${given.storeId}::bigint, ${given.version}::bigint, ${given.token}::bigint, unnest(${given.names}::text[])`,
    ),
);

/** Records the refs moved by a version. One statement. */
export async function recordMoves(tx: Tx, storeId: number, { version, token }: RefsState, names: readonly string[]): Promise<void> {
  await insertRows(tx, { storeId, version, token, names: names.length > maxRecorded ? [unrecorded] : names });
}

/** Identifies the refs of a store at one moment, also in a database that was restored meanwhile. */
export interface RefsState {
  readonly version: number;
  readonly token: number;
}

/** Deletes the records of versions before the last `versions` ones. */
export async function deleteOldMoves(tx: Tx, storeId: number, versions: number): Promise<void> {
  await tx.sql
    .deleteFrom("ref_moves")
    .where("store_id", "=", storeId)
    .where("version", "<=", (eb) =>
      eb
        .selectFrom("git_stores")
        .select((inner) => inner("refs_version", "-", versions).as("version"))
        .where("id", "=", storeId),
    )
    .execute();
}

/** The changes between two versions of a store's refs. */
export interface RefChanges extends RefsState {
  /** As in `RefListing`. */
  readonly packsVersion: number;
  readonly headRef: string;
  /** By full name; null for a ref that does not exist. */
  readonly moved: ReadonlyMap<string, RefView | null>;
}

const selectSince = compiled((db, given: Slots<{ storeId: number; version: number; limit: number }>) =>
  db.sql
    .selectFrom("git_stores as s")
    .leftJoin("ref_moves as m", (join) => join.onRef("m.store_id", "=", "s.id").on("m.version", ">=", given.version))
    .leftJoin("refs as r", (join) => join.onRef("r.store_id", "=", "m.store_id").onRef("r.name", "=", "m.name"))
    .select(["s.refs_version as version", "s.refs_token as token", "s.packs_version as packsVersion", "s.head_ref as headRef"])
    .select(["m.version as movedVersion", "m.token as movedToken", "m.name as movedName"])
    .select(["r.name", "r.oid", "r.type", "r.peeled_oid", "r.tip_ms"])
    .where("s.id", "=", given.storeId)
    .orderBy("m.version")
    .limit(given.limit),
);

const maxChanges = 5_000;

/**
 * The changes since a state. One statement.
 * @returns undefined for an unknown store, for a state that the database does not have in its history, for moves without a record, and after too
 * many changes
 */
export async function changesSince(db: Reader, storeId: number, { version, token }: RefsState): Promise<RefChanges | undefined> {
  const rows = await selectSince(db, { storeId, version, limit: maxChanges });
  const [first] = rows;
  if (first === undefined || rows.length === maxChanges) return undefined;
  const isKnown = rows.some(({ movedVersion, movedToken }) => movedVersion === version && movedToken === token);
  const later = rows.filter(({ movedVersion }) => movedVersion !== null && movedVersion > version);
  const versions = new Set(later.map(({ movedVersion }) => movedVersion));
  if (!isKnown || versions.size !== first.version - version || later.some(({ movedName }) => movedName === unrecorded)) return undefined;
  const moved = new Map<string, RefView | null>();
  for (const row of later) moved.set(row.movedName ?? "", row.name === null ? null : toRefView(row as RefRow));
  return { version: first.version, token: first.token, packsVersion: first.packsVersion, headRef: first.headRef, moved };
}
