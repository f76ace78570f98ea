import { sql } from "kysely";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { Cache, StoredCache } from "./model.ts";

const columns = ["c.id", "c.repo_id", "c.ref", "c.version", "c.key", "c.digest", "c.size_bytes", "c.created_ms", "c.used_ms", "f.file"] as const;

interface Row {
  readonly id: number;
  readonly repo_id: number;
  readonly ref: string;
  readonly version: string;
  readonly key: string;
  readonly digest: string;
  readonly size_bytes: number;
  readonly created_ms: number;
  readonly used_ms: number;
  readonly file: string;
}

const toCache = (row: Row): StoredCache => ({
  id: row.id,
  repoId: row.repo_id,
  ref: row.ref,
  version: row.version,
  key: row.key,
  digest: row.digest,
  sizeBytes: row.size_bytes,
  createdMs: row.created_ms,
  usedMs: row.used_ms,
  file: row.file,
});

const caches = (db: Reader) => db.sql.selectFrom("action_caches as c").innerJoin("stored_files as f", "f.digest", "c.digest").select(columns);

export async function findCache(db: Reader, id: number): Promise<StoredCache | undefined> {
  const row = await caches(db).where("c.id", "=", id).executeTakeFirst();
  return row && toCache(row);
}

export interface CacheScope {
  readonly repoId: number;
  readonly ref: string;
  readonly version: string;
}

export async function findCacheByKey(db: Reader, { repoId, ref, version }: CacheScope, key: string): Promise<StoredCache | undefined> {
  const row = await caches(db)
    .where("c.repo_id", "=", repoId)
    .where("c.ref", "=", ref)
    .where("c.version", "=", version)
    .where("c.key", "=", key)
    .executeTakeFirst();
  return row && toCache(row);
}

/** The newest cache whose key begins with a text. */
export async function findNewestCache(db: Reader, { repoId, ref, version }: CacheScope, prefix: string): Promise<StoredCache | undefined> {
  const row = await caches(db)
    .where("c.repo_id", "=", repoId)
    .where("c.ref", "=", ref)
    .where("c.version", "=", version)
    .where(sql<string>`substr(c.key, 1, ${prefix.length})`, "=", prefix)
    .orderBy("c.id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row && toCache(row);
}

export async function insertCache(tx: Tx, cache: Pick<Cache, "repoId" | "ref" | "version" | "key" | "digest" | "sizeBytes">): Promise<number> {
  const { id } = await tx.sql
    .insertInto("action_caches")
    .values({
      repo_id: cache.repoId,
      ref: cache.ref,
      version: cache.version,
      key: cache.key,
      digest: cache.digest,
      size_bytes: cache.sizeBytes,
      created_ms: tx.nowMs,
      used_ms: tx.nowMs,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function noteUse(tx: Tx, id: number): Promise<void> {
  await tx.sql.updateTable("action_caches").set({ used_ms: tx.nowMs }).where("id", "=", id).execute();
}

export async function deleteCache(tx: Tx, id: number): Promise<void> {
  await tx.sql.deleteFrom("action_caches").where("id", "=", id).execute();
}

export async function sumCacheBytes(db: Reader, repoId: number): Promise<number> {
  const row = await db.sql
    .selectFrom("action_caches")
    .select((eb) => eb.fn.sum<number>("size_bytes").as("total"))
    .where("repo_id", "=", repoId)
    .executeTakeFirstOrThrow();
  return Number(row.total ?? 0);
}

/** The least recently used first. */
export async function listLeastUsed(db: Reader, repoId: number, limit: number): Promise<readonly StoredCache[]> {
  const rows = await caches(db).where("c.repo_id", "=", repoId).orderBy("c.used_ms").orderBy("c.id").limit(limit).execute();
  return rows.map(toCache);
}

export async function listUnused(db: Reader, beforeMs: number, limit: number): Promise<readonly StoredCache[]> {
  const rows = await caches(db).where("c.used_ms", "<", beforeMs).orderBy("c.used_ms").limit(limit).execute();
  return rows.map(toCache);
}

/** The most recently used first. Two statements. */
export async function pageCaches(db: Reader, repoId: number, page: Page): Promise<Paged<Cache>> {
  const { total } = await db.sql
    .selectFrom("action_caches")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .where("repo_id", "=", repoId)
    .executeTakeFirstOrThrow();
  const rows = await caches(db)
    .where("c.repo_id", "=", repoId)
    .orderBy("c.used_ms", "desc")
    .orderBy("c.id", "desc")
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { items: rows.map(toCache), total: Number(total) };
}
