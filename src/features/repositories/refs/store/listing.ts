import { setImmediate } from "node:timers/promises";
import { compiled, type Slots } from "../../../../db/compiled.ts";
import type { Reader } from "../../../../db/db.ts";
import type { RefsTable } from "../../../../db/tables/git.ts";
import { type RefView, tagPrefix } from "../model.ts";

/** The refs of a store, and their version. */
export interface RefListing {
  readonly version: number;
  /** Random number of this version: a restored database may reach the same version again with other refs. */
  readonly token: number;
  /** Version of the list of packs that has the objects of these refs. */
  readonly packsVersion: number;
  /** Full name. */
  readonly headRef: string;
  /** Sorted by name. */
  readonly refs: readonly RefView[];
}

/**
 * `tags`: annotated tags. `advertised`: all refs visible to clients. `all`: also the hidden refs that protect commits from housekeeping.
 */
export type RefScope = "tags" | "advertised" | "all";

export const refColumns = ["name", "oid", "type", "peeled_oid", "tip_ms"] as const;
export type RefRow = Pick<RefsTable, (typeof refColumns)[number]>;

export const toRefView = (row: RefRow): RefView => ({ name: row.name, oid: row.oid, type: row.type, peeledOid: row.peeled_oid, tipMs: row.tip_ms });

/** The exclusive upper bound of all strings that begin with `prefix`. Names are compared bytewise, which for UTF-8 is code point order. */
export function endOfPrefix(prefix: string): string {
  const last = prefix.codePointAt(prefix.length - 1) ?? 0;
  return prefix.slice(0, -1) + String.fromCodePoint(last + 1);
}

/** The ASCII part of a prefix, for which the upper bound is simple. Longer prefixes are filtered by the callers. */
export const asciiPrefix = (prefix: string): string => /^[\x20-\x7e]*/.exec(prefix)?.[0] ?? "";

type Range = Slots<{ storeId: number; start: string; end: string; limit: number }>;

const selectListing = (isPeeled: boolean) =>
  compiled((db, given: Range) =>
    db.sql
      .selectFrom("git_stores as s")
      .leftJoin("refs as r", (join) => {
        const inRange = join.onRef("r.store_id", "=", "s.id").on("r.name", ">=", given.start).on("r.name", "<", given.end);
        return isPeeled ? inRange.on("r.peeled_oid", "<>", "") : inRange;
      })
      .select(["s.refs_version as version", "s.refs_token as token", "s.packs_version as packsVersion", "s.head_ref as headRef"])
      .select(["r.name", "r.oid", "r.type", "r.peeled_oid", "r.tip_ms"])
      .where("s.id", "=", given.storeId)
      .orderBy("r.name")
      .limit(given.limit),
  );

const selectFirst = { all: selectListing(false), peeled: selectListing(true) };

/** The refs of a version. Without the columns of the store, which each row would repeat, a slice takes a third less time. */
const selectRefs = (isPeeled: boolean) =>
  compiled((db, given: Range & Slots<{ version: number; token: number }>) => {
    const refs = db.sql
      .selectFrom("git_stores as s")
      .innerJoin("refs as r", "r.store_id", "s.id")
      .select(["r.name", "r.oid", "r.type", "r.peeled_oid", "r.tip_ms"])
      .where("s.id", "=", given.storeId)
      .where("s.refs_version", "=", given.version)
      .where("s.refs_token", "=", given.token)
      .where("r.name", ">=", given.start)
      .where("r.name", "<", given.end)
      .orderBy("r.name")
      .limit(given.limit);
    return isPeeled ? refs.where("r.peeled_oid", "<>", "") : refs;
  });

const selectRest = { all: selectRefs(false), peeled: selectRefs(true) };

/** Rows of a statement: the event loop gets a turn between statements. */
const sliceSize = 5_000;
/** Refs that move all the time are read by a single statement after this many attempts. */
const maxAttempts = 3;
const noLimit = Number.MAX_SAFE_INTEGER;

/** Undefined for an unknown store. One statement for up to {@link sliceSize} refs, then one more for each further slice, and one after an empty slice. */
export function readListing(db: Reader, storeId: number, scope: Exclude<RefScope, "advertised">): Promise<RefListing | undefined> {
  return readRange(db, storeId, { prefix: scope === "tags" ? tagPrefix : "refs/", isPeeled: scope === "tags" });
}

/** The refs whose names begin with `prefix` (`refs/` for all). Undefined for an unknown store. Statements as {@link readListing}. */
export async function readBelow(db: Reader, storeId: number, prefix: string): Promise<Pick<RefListing, "refs" | "packsVersion"> | undefined> {
  const start = asciiPrefix(prefix);
  const listing = await readRange(db, storeId, { prefix: start, isPeeled: false });
  if (listing === undefined || start === prefix) return listing;
  return { packsVersion: listing.packsVersion, refs: listing.refs.filter(({ name }) => name.startsWith(prefix)) };
}

interface ListedRange {
  readonly prefix: string;
  readonly isPeeled: boolean;
}

/** Reads in slices until all of them have the same version, so that the refs are those of one moment. */
async function readRange(db: Reader, storeId: number, range: ListedRange): Promise<RefListing | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    const listing = await readSlices(db, storeId, range, attempt < maxAttempts ? sliceSize : noLimit);
    if (listing !== "moved") return listing;
  }
}

async function readSlices(db: Reader, storeId: number, { prefix, isPeeled }: ListedRange, limit: number): Promise<RefListing | "moved" | undefined> {
  const kind = isPeeled ? "peeled" : "all";
  const end = endOfPrefix(prefix);
  const firstRows = await selectFirst[kind](db, { storeId, start: prefix, end, limit });
  const [first] = firstRows;
  if (first === undefined) return undefined;
  const { version, token, packsVersion, headRef } = first;
  const refs: RefView[] = [];
  for (const row of firstRows) if (row.name !== null) refs.push(toRefView(row as RefRow));
  for (let read = firstRows.length; read === limit; ) {
    await setImmediate();
    // No character of a name precedes the exclamation mark.
    const rows = await selectRest[kind](db, { storeId, version, token, start: `${refs.at(-1)?.name}!`, end, limit });
    // Another version has no rows, as the end has.
    if (rows.length === 0) {
      const now = await readVersions(db, storeId);
      if (now?.version !== version || now.token !== token) return "moved";
    }
    for (const row of rows) refs.push(toRefView(row));
    read = rows.length;
  }
  return { version, token, packsVersion, headRef, refs };
}

const selectVersions = compiled((db, given: Slots<{ storeId: number }>) =>
  db.sql.selectFrom("git_stores").select(["refs_version as version", "refs_token as token", "packs_version as packsVersion"]).where("id", "=", given.storeId),
);

/** The version is incremented by every transaction that moves a ref or HEAD. Undefined for an unknown store. */
export async function readVersions(db: Reader, storeId: number): Promise<Pick<RefListing, "version" | "token" | "packsVersion"> | undefined> {
  const [row] = await selectVersions(db, { storeId });
  return row;
}
