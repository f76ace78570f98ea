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

const selectAll = selectListing(false);
const selectPeeled = selectListing(true);

/** Rows of a statement: the event loop gets a turn between statements. */
const sliceSize = 5_000;
/** Refs that move all the time are read by a single statement after this many attempts. */
const maxAttempts = 3;
const noLimit = Number.MAX_SAFE_INTEGER;

/** Undefined for an unknown store. One statement for up to {@link sliceSize} refs, then one more for each further slice. */
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
  const select = isPeeled ? selectPeeled : selectAll;
  const end = endOfPrefix(prefix);
  let rows = await select(db, { storeId, start: prefix, end, limit });
  const [first] = rows;
  if (first === undefined) return undefined;
  const refs: RefView[] = [];
  for (;;) {
    if (rows[0]?.version !== first.version) return "moved";
    for (const row of rows) if (row.name !== null) refs.push(toRefView(row as RefRow));
    if (rows.length < limit) {
      const { version, token, packsVersion, headRef } = first;
      return { version, token, packsVersion, headRef, refs };
    }
    await setImmediate();
    // No character of a name precedes the exclamation mark.
    rows = await select(db, { storeId, start: `${refs.at(-1)?.name}!`, end, limit });
  }
}

const selectVersions = compiled((db, given: Slots<{ storeId: number }>) =>
  db.sql.selectFrom("git_stores").select(["refs_version as version", "packs_version as packsVersion"]).where("id", "=", given.storeId),
);

/** The version is incremented by every transaction that moves a ref or HEAD. Undefined for an unknown store. */
export async function readVersions(db: Reader, storeId: number): Promise<Pick<RefListing, "version" | "packsVersion"> | undefined> {
  const [row] = await selectVersions(db, { storeId });
  return row;
}
