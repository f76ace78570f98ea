import { sql } from "kysely";
import { anyOf } from "../../../../db/any-of.ts";
import { compiled, type Slots } from "../../../../db/compiled.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { PackPart, StoredPack } from "../../../../git/receive/pack-parts.ts";

/** A pack of a store that other nodes can read. */
export interface ListedPack extends StoredPack {
  /** Name in the bucket; undefined for a small pack, whose bytes are in the row. */
  readonly file: string | undefined;
}

export interface PackList {
  readonly version: number;
  readonly packs: readonly ListedPack[];
}

const selectList = compiled((db, given: Slots<{ storeId: number }>) =>
  db.sql
    .selectFrom("git_stores as s")
    .leftJoin("store_packs as p", "p.store_id", "s.id")
    .select(["s.packs_version as version", "p.name", "p.parts", "p.digest", "p.file"])
    .where("s.id", "=", given.storeId),
);

/** The packs of a store at one moment. One statement. @returns undefined for an unknown store */
export async function loadPacks(db: Reader, storeId: number): Promise<PackList | undefined> {
  const rows = await selectList(db, { storeId });
  const [first] = rows;
  if (first === undefined) return undefined;
  return { version: first.version, packs: rows.flatMap(({ name, parts, digest, file }) => (name === null ? [] : toListed({ name, parts, digest, file }))) };
}

export interface FullPackList extends PackList {
  /** The bytes of small packs, by name. */
  readonly contents: ReadonlyMap<string, Buffer>;
}

/**
 * As {@link loadPacks}, with the bytes of the small packs, except for those of some names. One statement: another process may replace the
 * packs between two.
 */
export async function loadPacksExcept(db: Reader, storeId: number, names: readonly string[]): Promise<FullPackList | undefined> {
  const rows = await db.sql
    .selectFrom("git_stores as s")
    .leftJoin("store_packs as p", "p.store_id", "s.id")
    .select(["s.packs_version as version", "p.name", "p.parts", "p.digest", "p.file"])
    .select((eb) =>
      eb
        .case()
        .when(anyOf(db, eb.ref("p.name").$notNull(), names))
        .then(null)
        .else(eb.ref("p.content"))
        .end()
        .as("content"),
    )
    .where("s.id", "=", storeId)
    .execute();
  const [first] = rows;
  if (first === undefined) return undefined;
  return {
    version: first.version,
    packs: rows.flatMap(({ name, ...row }) => (name === null ? [] : toListed({ ...row, name }))),
    contents: new Map(rows.flatMap(({ name, content }): [string, Buffer][] => (name === null || content === null ? [] : [[name, content]]))),
  };
}

interface PackRow {
  readonly name: string;
  readonly parts: string | null;
  readonly digest: string | null;
  readonly file: string | null;
}

const toListed = ({ name, parts, digest, file }: PackRow): ListedPack => ({
  name,
  digest: digest ?? "",
  file: file ?? undefined,
  parts: readPartSizes(parts ?? "[]"),
});

const readPartSizes = (text: string): PackPart[] => (JSON.parse(text) as [string, number][]).map(([extension, sizeBytes]) => ({ extension, sizeBytes }));

const selectVersion = compiled((db, given: Slots<{ storeId: number }>) =>
  db.sql.selectFrom("git_stores").select("packs_version as version").where("id", "=", given.storeId),
);

/** 0 for an unknown store. */
export async function findPacksVersion(db: Reader, storeId: number): Promise<number> {
  const [row] = await selectVersion(db, { storeId });
  return row?.version ?? 0;
}

/** A pack that is not listed yet. */
export interface NewPack extends ListedPack {
  /** The bytes of a small pack. */
  readonly content: Buffer | undefined;
}

const rowsOf = (tx: Tx, storeId: number, packs: readonly NewPack[]) =>
  packs.map(({ name, parts, digest, file, content }) => ({
    store_id: storeId,
    name,
    parts: JSON.stringify(parts.map(({ extension, sizeBytes }) => [extension, sizeBytes])),
    size_bytes: parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    digest,
    file: file ?? null,
    content: content ?? null,
    created_ms: tx.nowMs,
  }));

/** Adds packs to the list of a store; those that are in it are left as they are. One statement. @returns the new version; undefined for an unknown store */
export async function addPacks(tx: Tx, storeId: number, packs: readonly NewPack[]): Promise<number | undefined> {
  const row = await tx.sql
    .with("added", (db) =>
      db
        .insertInto("store_packs")
        .values(rowsOf(tx, storeId, packs))
        .onConflict((on) => on.columns(["store_id", "name"]).doNothing()),
    )
    .updateTable("git_stores")
    .set((eb) => ({ packs_version: eb("packs_version", "+", 1) }))
    .where("id", "=", storeId)
    .returning("packs_version as version")
    .executeTakeFirst();
  return row?.version;
}

/** Removes packs from the list; without names, all of them. Two statements. @returns the number of those that were in it */
export async function removePacks(tx: Tx, storeId: number, names?: readonly string[]): Promise<number> {
  await tx.sql
    .insertInto("replaced_packs")
    .columns(["file", "replaced_ms"])
    .expression((eb) => {
      const rows = eb
        .selectFrom("store_packs")
        .select((row) => [row.ref("file").$notNull().as("file"), sql<number>`cast(${tx.nowMs} as bigint)`.as("replaced_ms")])
        .distinct()
        .where("store_id", "=", storeId)
        .where("file", "is not", null);
      return names === undefined ? rows : rows.where((where) => anyOf(tx, where.ref("name"), names));
    })
    .onConflict((on) => on.column("file").doUpdateSet((eb) => ({ replaced_ms: eb.ref("excluded.replaced_ms") })))
    .execute();
  const all = tx.sql.deleteFrom("store_packs").where("store_id", "=", storeId);
  const { numDeletedRows } = await (names === undefined ? all : all.where((where) => anyOf(tx, where.ref("name"), names))).executeTakeFirst();
  return Number(numDeletedRows);
}

/** Empties the lists of all stores. Two statements. */
export async function removeAllPacks(tx: Tx): Promise<void> {
  await tx.sql
    .insertInto("replaced_packs")
    .columns(["file", "replaced_ms"])
    .expression((eb) =>
      eb
        .selectFrom("store_packs")
        .select((row) => [row.ref("file").$notNull().as("file"), sql<number>`cast(${tx.nowMs} as bigint)`.as("replaced_ms")])
        .distinct()
        .where("file", "is not", null),
    )
    .onConflict((on) => on.column("file").doUpdateSet((eb) => ({ replaced_ms: eb.ref("excluded.replaced_ms") })))
    .execute();
  await tx.sql.deleteFrom("store_packs").execute();
}

/** Names another object of the bucket for a pack. */
export async function replaceFile(
  tx: Tx,
  { storeId, name, from, to }: { readonly storeId: number; readonly name: string; readonly from: string; readonly to: string },
): Promise<void> {
  await tx.sql.updateTable("store_packs").set({ file: to }).where("store_id", "=", storeId).where("name", "=", name).where("file", "=", from).execute();
}

/** Which of some names in the bucket are in use, or were at a time. One statement. */
export async function findKeptFiles(db: Reader, files: readonly string[], sinceMs: number): Promise<ReadonlySet<string>> {
  const replaced = db.sql
    .selectFrom("replaced_packs")
    .select("file")
    .where((eb) => anyOf(db, eb.ref("file"), files))
    .where("replaced_ms", ">=", sinceMs);
  const rows = await db.sql
    .selectFrom("store_packs")
    .select((eb) => eb.ref("file").$notNull().as("file"))
    .where((eb) => anyOf(db, eb.ref("file").$notNull(), files))
    .union(replaced)
    .execute();
  return new Set(rows.map(({ file }) => file));
}

/** Forgets packs that were replaced before a time. */
export async function forgetReplaced(tx: Tx, beforeMs: number): Promise<void> {
  await tx.sql.deleteFrom("replaced_packs").where("replaced_ms", "<", beforeMs).execute();
}
