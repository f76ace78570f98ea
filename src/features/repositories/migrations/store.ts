import type { ErrorCode } from "../../../core/errors.ts";
import { foldName } from "../../../core/names.ts";
import type { Page, Paged } from "../../../core/paging.ts";
import type { Reader, Tx } from "../../../db/db.ts";
import type { MigrationEnd, MigrationView, Progress } from "./progress.ts";

export interface NewMigration {
  readonly accountId: number;
  readonly ownerId: number;
  readonly name: string;
  readonly fullName: string;
  readonly address: string;
  readonly sealedInput: string;
}

/** The unique key of unfinished migrations for one name. */
export const openKey = "repo_migrations.owner_id,name_folded";

/** @returns the id */
export async function insertMigration(tx: Tx, migration: NewMigration): Promise<number> {
  const { id } = await tx.sql
    .insertInto("repo_migrations")
    .values({
      account_id: migration.accountId,
      owner_id: migration.ownerId,
      name_folded: foldName(migration.name),
      full_name: migration.fullName,
      address: migration.address,
      sealed_input: migration.sealedInput,
      state: "waiting",
      phase: "code",
      created_ms: tx.nowMs,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function countOpen(db: Reader, accountId: number): Promise<number> {
  const { count } = await db.sql
    .selectFrom("repo_migrations")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("account_id", "=", accountId)
    .where("ended_ms", "is", null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** An unfinished migration. */
export interface OpenMigration {
  readonly id: number;
  readonly accountId: number;
  readonly ownerId: number;
  readonly isCancelled: boolean;
  readonly sealedInput: string;
  readonly receivedBytes: number;
  readonly codeStoreId: number | null;
}

export async function findOpen(db: Reader, id: number): Promise<OpenMigration | undefined> {
  const row = await db.sql
    .selectFrom("repo_migrations")
    .select(["account_id", "owner_id", "is_cancelled", "sealed_input", "received_bytes", "code_store_id"])
    .where("id", "=", id)
    .where("ended_ms", "is", null)
    .executeTakeFirst();
  return (
    row && {
      id,
      accountId: row.account_id,
      ownerId: row.owner_id,
      isCancelled: row.is_cancelled === 1,
      sealedInput: row.sealed_input ?? "",
      receivedBytes: row.received_bytes,
      codeStoreId: row.code_store_id,
    }
  );
}

/** Stores the progress. @returns false if the migration was cancelled */
export async function noteProgress(tx: Tx, id: number, { phase, receivedBytes, resumesMs }: Progress): Promise<boolean> {
  const row = await tx.sql
    .updateTable("repo_migrations")
    .set({ state: "running", phase, received_bytes: receivedBytes, resumes_ms: resumesMs })
    .where("id", "=", id)
    .where("ended_ms", "is", null)
    .returning("is_cancelled")
    .executeTakeFirst();
  return row?.is_cancelled === 0;
}

/** Protects a store from the sweep until the migration ends. */
export async function holdStore(tx: Tx, id: number, storeId: number): Promise<void> {
  await tx.sql.updateTable("repo_migrations").set({ code_store_id: storeId }).where("id", "=", id).execute();
}

function failed({ code, error, failure }: Failed) {
  const { code: reason = "", ...values } = failure ?? {};
  return { error_code: code, error, failure: reason, failure_values: Object.keys(values).length === 0 ? "" : JSON.stringify(values) };
}

/** @returns false if it has ended already or was cancelled */
export async function endMigration(tx: Tx, id: number, end: MigrationEnd): Promise<boolean> {
  const outcome = end.state === "failed" ? failed(end) : end.state === "done" ? { repo_id: end.repoId } : {};
  const query = tx.sql
    .updateTable("repo_migrations")
    .set({ state: end.state, sealed_input: null, code_store_id: null, resumes_ms: null, ended_ms: tx.nowMs, ...outcome })
    .where("id", "=", id)
    .where("ended_ms", "is", null)
    .returning("id");
  const row = await (end.state === "done" ? query.where("is_cancelled", "=", 0) : query).executeTakeFirst();
  return row !== undefined;
}

/** Requests the cancellation of an unfinished migration. @returns whether a worker has started it; undefined if the account has no such migration */
export async function cancelOpen(tx: Tx, accountId: number, id: number): Promise<{ readonly isRunning: boolean } | undefined> {
  const row = await tx.sql
    .updateTable("repo_migrations")
    .set({ is_cancelled: 1 })
    .where("id", "=", id)
    .where("account_id", "=", accountId)
    .where("ended_ms", "is", null)
    .returning("state")
    .executeTakeFirst();
  return row && { isRunning: row.state === "running" };
}

type Failed = Extract<MigrationEnd, { state: "failed" }>;
/** Without the reason, which only pages show. */
export type KnownEnd = Exclude<MigrationEnd, Failed> | Omit<Failed, "failure">;

/** The result of a migration; undefined if it is unknown. */
export async function findEnd(db: Reader, id: number): Promise<KnownEnd | "open" | undefined> {
  const row = await db.sql.selectFrom("repo_migrations").select(["state", "repo_id", "error_code", "error"]).where("id", "=", id).executeTakeFirst();
  if (row === undefined) return undefined;
  switch (row.state) {
    case "waiting":
    case "running":
      return "open";
    case "done":
      return { state: "done", repoId: row.repo_id ?? 0 };
    case "failed":
      return { state: "failed", code: row.error_code as ErrorCode, error: row.error };
    case "cancelled":
      return { state: "cancelled" };
  }
}

const viewColumns = [
  "id",
  "full_name",
  "address",
  "state",
  "phase",
  "received_bytes",
  "resumes_ms",
  "error",
  "failure",
  "failure_values",
  "created_ms",
  "ended_ms",
] as const;

const views = (db: Reader, accountId: number) => db.sql.selectFrom("repo_migrations").select(viewColumns).where("account_id", "=", accountId);

type ViewRow = Awaited<ReturnType<ReturnType<typeof views>["executeTakeFirstOrThrow"]>>;

const viewOf = (row: ViewRow): MigrationView => ({
  id: row.id,
  fullName: row.full_name,
  address: row.address,
  state: row.state,
  phase: row.phase,
  receivedBytes: row.received_bytes,
  resumesMs: row.resumes_ms,
  error: row.error,
  failure: row.failure === "" ? undefined : { code: row.failure, values: row.failure_values === "" ? {} : (JSON.parse(row.failure_values) as object) },
  createdMs: row.created_ms,
  endedMs: row.ended_ms,
});

export async function findMigration(db: Reader, accountId: number, id: number): Promise<MigrationView | undefined> {
  const row = await views(db, accountId).where("id", "=", id).executeTakeFirst();
  return row && viewOf(row);
}

/** The migrations of an account, newest first. */
export async function pageMigrations(db: Reader, accountId: number, { offset, limit }: Pick<Page, "offset" | "limit">): Promise<Paged<MigrationView>> {
  const { count } = await db.sql
    .selectFrom("repo_migrations")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  const rows = await views(db, accountId).orderBy("id", "desc").limit(limit).offset(offset).execute();
  return { total: Number(count), items: rows.map(viewOf) };
}

export async function deleteEndedBefore(tx: Tx, beforeMs: number): Promise<void> {
  await tx.sql.deleteFrom("repo_migrations").where("ended_ms", "<", beforeMs).execute();
}
