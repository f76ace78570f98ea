import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import type { Page, Paged } from "../../../../core/paging.ts";
import { slicesOf } from "../../../../core/turns.ts";
import { anyOf } from "../../../../db/any-of.ts";
import { compiled, compiledChange, type Slots } from "../../../../db/compiled.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { Oid } from "../../../../git/types.ts";
import { branchPrefix, type RefView, tagPrefix } from "../model.ts";
import { copyOf, type RefUpdate } from "../moves.ts";
import { asciiPrefix, endOfPrefix, refColumns, toRefView } from "./listing.ts";
import type { RefsState } from "./ref-moves.ts";

const selectNamed = compiled((db, given: Slots<{ storeId: number; names: readonly string[] }>) =>
  db.sql
    .selectFrom("refs")
    .select(refColumns)
    .where("store_id", "=", given.storeId)
    .where((eb) => anyOf(db, eb.ref("name"), given.names)),
);

/** Refs or names of a statement: the event loop gets a turn between statements. */
const sliceSize = 2_000;

/** Any number of refs by full name. One statement for each {@link sliceSize} names. */
export async function loadRefs(db: Reader, storeId: number, names: readonly string[]): Promise<ReadonlyMap<string, RefView>> {
  const refs = new Map<string, RefView>();
  if (names.length === 0) return refs;
  for await (const slice of slicesOf(names, sliceSize)) {
    for (const row of await selectNamed(db, { storeId, names: slice })) refs.set(row.name, toRefView(row));
  }
  return refs;
}

const selectTips = compiled((db, given: Slots<{ storeId: number; oids: readonly string[] }>) =>
  db.sql
    .selectFrom("refs")
    .select("oid")
    .distinct()
    .where("store_id", "=", given.storeId)
    .where((eb) => anyOf(db, eb.ref("oid"), given.oids)),
);

/** Those of the ids that a ref points to. One statement for each {@link sliceSize} ids. */
export async function loadTips(db: Reader, storeId: number, oids: readonly Oid[]): Promise<ReadonlySet<Oid>> {
  const tips = new Set<Oid>();
  if (oids.length === 0) return tips;
  for await (const slice of slicesOf(oids, sliceSize)) for (const { oid } of await selectTips(db, { storeId, oids: slice })) tips.add(oid);
  return tips;
}

const withPrefix = (db: Reader, storeId: number, prefix: string) => {
  const start = asciiPrefix(prefix);
  return db.sql.selectFrom("refs").where("store_id", "=", storeId).where("name", ">=", start).where("name", "<", endOfPrefix(start));
};

/** A page of the refs below `prefix` with a part in their name, in any case, newest tips first. Reads each name once. Two statements. */
export async function searchRefs(db: Reader, storeId: number, prefix: string, part: string, page: Page): Promise<Paged<RefView>> {
  const text = part.toLowerCase();
  const found = sql.raw(db.dialect === "sqlite" ? "instr" : "strpos");
  const matching = () => withPrefix(db, storeId, prefix).where(sql<boolean>`${found}(lower(substr(name, ${sql.lit(prefix.length + 1)})), ${text}) > 0`);
  const { count } = await matching()
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  const rows = await matching().select(refColumns).orderBy("tip_ms", "desc").orderBy("name").limit(page.limit).offset(page.offset).execute();
  return { items: rows.map(toRefView), total: Number(count) };
}

/** A page of the refs below `prefix` (which ends in a slash), newest tips first. Two statements. */
export async function pageRefs(db: Reader, storeId: number, prefix: string, page: Page): Promise<Paged<RefView>> {
  const total = await countRefs(db, storeId, prefix);
  if (page.offset >= total) return { items: [], total };
  return { items: await listNewest(db, storeId, prefix, page.limit, page.offset), total };
}

/** Newest tips first. */
export async function listNewest(db: Reader, storeId: number, prefix: string, limit: number, offset = 0): Promise<readonly RefView[]> {
  const rows = await withPrefix(db, storeId, prefix).select(refColumns).orderBy("tip_ms", "desc").orderBy("name").limit(limit).offset(offset).execute();
  return rows.map(toRefView);
}

/** The refs below a prefix whose tips are of a time. */
export interface RefsByAge {
  readonly prefix: string;
  /** Left out: a full name. */
  readonly except: string;
  /** Inclusive. */
  readonly sinceMs?: number | undefined;
  /** Exclusive. */
  readonly beforeMs?: number | undefined;
}

const ofAge = (db: Reader, storeId: number, { prefix, except, sinceMs, beforeMs }: RefsByAge) =>
  withPrefix(db, storeId, prefix)
    .where("name", "<>", except)
    .$if(sinceMs !== undefined, (query) => query.where("tip_ms", ">=", sinceMs ?? 0))
    .$if(beforeMs !== undefined, (query) => query.where("tip_ms", "<", beforeMs ?? 0));

/** A page of them, newest tips first. Two statements. */
export async function pageRefsByAge(db: Reader, storeId: number, age: RefsByAge, page: Page): Promise<Paged<RefView>> {
  const { count } = await ofAge(db, storeId, age)
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  const rows = await ofAge(db, storeId, age).select(refColumns).orderBy("tip_ms", "desc").orderBy("name").limit(page.limit).offset(page.offset).execute();
  return { items: rows.map(toRefView), total: Number(count) };
}

const selectNewestRefs = compiled((db, given: Slots<{ storeId: number; limit: number }>) => {
  const newest = (prefix: string) =>
    db.sql
      .selectFrom("refs")
      .select(["name", "tip_ms"])
      .where("store_id", "=", given.storeId)
      .where("name", ">=", prefix)
      .where("name", "<", endOfPrefix(prefix))
      .orderBy("tip_ms", "desc")
      .orderBy("name")
      .limit(given.limit);
  const of = (prefix: string) => db.sql.selectFrom(newest(prefix).as("newest")).select(["name", "tip_ms"]);
  return db.sql
    .selectFrom("git_stores as s")
    .leftJoin(of(branchPrefix).unionAll(of(tagPrefix)).as("r"), (join) => join.onTrue())
    .select(["s.refs_version as version", "s.refs_token as token", "r.name", "r.tip_ms"])
    .where("s.id", "=", given.storeId);
});

/** The newest refs of a store as of a state. */
export interface NewestRefs extends RefsState {
  readonly refs: readonly Pick<RefView, "name" | "tipMs">[];
}

/** At most `limit` branches and `limit` tags, in no order; undefined for an unknown store. One statement, which reads all branches and tags. */
export async function readNewestRefs(db: Reader, storeId: number, limit: number): Promise<NewestRefs | undefined> {
  const rows = await selectNewestRefs(db, { storeId, limit });
  const [first] = rows;
  if (first === undefined) return undefined;
  return {
    version: first.version,
    token: first.token,
    refs: rows.flatMap(({ name, tip_ms: tipMs }) => (name === null || tipMs === null ? [] : [{ name, tipMs }])),
  };
}

const countBetween = compiled((db, given: Slots<{ storeId: number; start: string; end: string }>) =>
  db.sql
    .selectFrom("refs")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("store_id", "=", given.storeId)
    .where("name", ">=", given.start)
    .where("name", "<", given.end),
);

export async function countRefs(db: Reader, storeId: number, prefix: string): Promise<number> {
  const start = asciiPrefix(prefix);
  const [row] = await countBetween(db, { storeId, start, end: endOfPrefix(start) });
  return row?.count ?? 0;
}

const countNames = compiled((db, given: Slots<{ storeId: number; limit: number }>) => {
  const count = (prefix: string) =>
    db.sql
      .selectFrom(
        db.sql
          .selectFrom("refs")
          .select("name")
          .where("store_id", "=", given.storeId)
          .where("name", ">=", prefix)
          .where("name", "<", endOfPrefix(prefix))
          .limit(given.limit)
          .as("some"),
      )
      .select((eb) => eb.fn.countAll<number>().as("count"));
  return db.sql.selectNoFrom([count(branchPrefix).as("branches"), count(tagPrefix).as("tags")]);
});

/** The numbers of branches and tags, each counted up to `limit`. One statement. */
export async function countPublicRefs(db: Reader, storeId: number, limit: number): Promise<{ readonly branches: number; readonly tags: number }> {
  const [row] = await countNames(db, { storeId, limit });
  return { branches: row?.branches ?? 0, tags: row?.tags ?? 0 };
}

const selectBelow = compiled((db, given: Slots<{ storeId: number; names: readonly string[]; exceptNames: readonly string[] }>) => {
  const list =
    db.dialect === "sqlite"
      ? sql<{ name: string }>`(select value as name from json_each(${given.names}))`
      : sql<{ name: string }>`(select unnest(${given.names}::text[]) as name)`;
  return db.sql.selectFrom(list.as("given")).select((outer) => [
    "given.name",
    outer
      .selectFrom("refs")
      .select((eb) => eb.fn.min("refs.name").as("name"))
      .where("store_id", "=", given.storeId)
      .where("refs.name", ">", sql<string>`given.name || '/'`)
      .where("refs.name", "<", sql<string>`given.name || '0'`)
      .where((eb) => eb.not(anyOf(db, eb.ref("refs.name"), given.exceptNames)))
      .as("below"),
  ]);
});

/**
 * For each of `names` one ref whose name begins with it and a slash, except the refs in `exceptNames`. One statement for each {@link sliceSize} names.
 * The range is bytewise: `0` follows `/`.
 */
export async function loadRefsBelow(
  db: Reader,
  storeId: number,
  names: readonly string[],
  exceptNames: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for await (const slice of slicesOf(names, sliceSize)) {
    for (const { name, below } of await selectBelow(db, { storeId, names: slice, exceptNames })) if (below !== null) found.set(name, below);
  }
  return found;
}

const upsertRows = compiled((tx: Tx, given: Slots<{ storeId: number; updates: string; nowMs: number }>) => {
  const rows =
    tx.dialect === "sqlite"
      ? sql`select ${given.storeId}, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, ${given.nowMs} from json_each(${given.updates}) where true`
      : sql`select ${given.storeId}::bigint, value ->> 0, value ->> 1, value ->> 2, value ->> 3, (value ->> 4)::bigint, ${given.nowMs}::bigint
          from jsonb_array_elements(${given.updates}::jsonb)`;
  return tx.sql
    .insertInto("refs")
    .columns(["store_id", "name", "oid", "type", "peeled_oid", "tip_ms", "updated_ms"])
    .expression(rows)
    .onConflict((on) =>
      on.columns(["store_id", "name"]).doUpdateSet((eb) => ({
        oid: eb.ref("excluded.oid"),
        type: eb.ref("excluded.type"),
        peeled_oid: eb.ref("excluded.peeled_oid"),
        tip_ms: eb.ref("excluded.tip_ms"),
        updated_ms: eb.ref("excluded.updated_ms"),
      })),
    );
});

/** Inserts and updates any number of refs. One statement for each {@link sliceSize} refs. */
export async function upsertRefs(tx: Tx, storeId: number, updates: readonly RefUpdate[]): Promise<void> {
  if (updates.length === 0) return;
  for await (const slice of slicesOf(updates, sliceSize)) {
    const rows = slice.map(({ name, newOid, type, peeledOid, tipMs }) => [name, newOid, type, peeledOid, tipMs]);
    await upsertRows(tx, { storeId, updates: JSON.stringify(rows), nowMs: tx.nowMs });
  }
}

export async function deleteRefs(tx: Tx, storeId: number, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  for await (const slice of slicesOf(names, sliceSize)) {
    await tx.sql
      .deleteFrom("refs")
      .where("store_id", "=", storeId)
      .where((eb) => anyOf(tx, eb.ref("name"), slice))
      .execute();
  }
}

const copySlice = compiledChange((tx: Tx, given: Slots<{ fromStoreId: number; toStoreId: number; nowMs: number; start: string; limit: number }>) =>
  tx.sql
    .insertInto("refs")
    .columns(["store_id", "name", "oid", "type", "peeled_oid", "tip_ms", "updated_ms"])
    .expression((eb) =>
      eb
        .selectFrom("refs")
        .select([
          sql<number>`cast(${given.toStoreId} as bigint)`.as("store_id"),
          "name",
          "oid",
          "type",
          "peeled_oid",
          "tip_ms",
          sql<number>`cast(${given.nowMs} as bigint)`.as("updated_ms"),
        ])
        .where("store_id", "=", given.fromStoreId)
        .where("name", ">=", given.start)
        .where("name", "<", endOfPrefix(tagPrefix))
        .where((where) => where.or([where("name", "<", endOfPrefix(branchPrefix)), where("name", ">=", tagPrefix)]))
        .orderBy("name")
        .limit(given.limit),
    ),
);

/** Copies all branches and tags of another store. One statement, and two more for each further {@link sliceSize} refs. */
export async function copyPublicRefs(tx: Tx, fromStoreId: number, toStoreId: number): Promise<void> {
  for (let start = branchPrefix; ; ) {
    const copied = await copySlice(tx, { fromStoreId, toStoreId, nowMs: tx.nowMs, start, limit: sliceSize });
    if (copied < sliceSize) return;
    const { name } = await tx.sql
      .selectFrom("refs")
      .select((eb) => eb.fn.max("name").as("name"))
      .where("store_id", "=", toStoreId)
      .executeTakeFirstOrThrow();
    // No character of a name precedes the exclamation mark.
    start = `${name}!`;
    await setImmediate();
  }
}

/** Copies one ref of another store, if it exists. */
export async function copyRef(tx: Tx, fromStoreId: number, toStoreId: number, name: string): Promise<void> {
  const ref = (await loadRefs(tx, fromStoreId, [name])).get(name);
  if (ref !== undefined) await upsertRefs(tx, toStoreId, [copyOf(ref, name)]);
}

const selectCopied = compiled((db, given: Slots<{ fromStoreId: number; toStoreId: number }>) => {
  const between = (storeId: typeof given.fromStoreId, start: string, end: string) =>
    db.sql.selectFrom("refs").where("store_id", "=", storeId).where("name", ">=", start).where("name", "<", end);
  const others = [
    ["", branchPrefix],
    [endOfPrefix(branchPrefix), tagPrefix],
    [endOfPrefix(tagPrefix), endOfPrefix("refs/")],
  ] as const;
  return db.sql.selectNoFrom((eb) => [
    between(given.toStoreId, branchPrefix, endOfPrefix(branchPrefix))
      .select((count) => count.fn.countAll<number>().as("count"))
      .as("branches"),
    eb.or(others.map(([start, end]) => eb.exists(between(given.fromStoreId, start, end).select("name")))).as("hasOthers"),
  ]);
});

export interface RefCopy {
  readonly branchesCount: number;
  /** The other store only has branches and tags. */
  readonly isWhole: boolean;
}

/** Describes the result of {@link copyPublicRefs}. */
export async function describeCopy(db: Reader, fromStoreId: number, toStoreId: number): Promise<RefCopy> {
  const [row] = await selectCopied(db, { fromStoreId, toStoreId });
  return { branchesCount: row?.branches ?? 0, isWhole: !row?.hasOthers };
}
