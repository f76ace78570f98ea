import type { ExpressionBuilder, Insertable, Updateable } from "kysely";
import type { SettingsOwner } from "../../../../access/settings-owner.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { HooksTable } from "../../../../db/tables/hooks.ts";
import type { Tables } from "../../../../db/tables.ts";
import type { HookType, HookView, ServerHooks } from "../model.ts";

/** A webhook with its sealed secrets. */
export interface StoredHook extends HookView {
  readonly authorizationHeader: string | null;
  readonly secret: string | null;
  readonly formerSecret: string | null;
  readonly formerSecretUntilMs: number | null;
}

export type HookRow = Omit<HooksTable, "id" | "last_sequence" | "failures" | "blocked_until_ms" | "failure_notified_ms"> & { readonly id: number };

export const storedHookColumns = [
  "id",
  "repo_id",
  "owner_id",
  "scope",
  "type",
  "name",
  "url",
  "content_type",
  "settings",
  "events",
  "branch_filter",
  "authorization_header",
  "secret",
  "former_secret",
  "former_secret_until_ms",
  "is_active",
  "created_ms",
  "updated_ms",
] as const;

export const toStoredHook = (row: HookRow): StoredHook => ({
  id: row.id,
  scope: row.scope,
  type: row.type as HookType,
  name: row.name,
  url: row.url,
  contentType: row.content_type,
  settings: JSON.parse(row.settings),
  events: JSON.parse(row.events),
  branchFilter: row.branch_filter,
  isActive: row.is_active === 1,
  createdMs: row.created_ms,
  updatedMs: row.updated_ms,
  authorizationHeader: row.authorization_header,
  secret: row.secret,
  formerSecret: row.former_secret,
  formerSecretUntilMs: row.former_secret_until_ms,
});

const ownedBy = (owner: SettingsOwner) => (eb: ExpressionBuilder<Tables, "hooks">) => {
  switch (owner.scope) {
    case "repository":
      return eb("repo_id", "=", owner.repoId);
    case "owner":
      return eb("owner_id", "=", owner.ownerId);
    case "server":
      return eb.and([eb("repo_id", "is", null), eb("owner_id", "is", null)]);
  }
};

/** An owner's webhooks, oldest first. Two statements. */
export async function pageHooks(db: Reader, owner: SettingsOwner, which: ServerHooks, page: Page): Promise<Paged<StoredHook>> {
  let query = db.sql.selectFrom("hooks").where(ownedBy(owner));
  if (owner.scope === "server" && which !== "all") query = query.where("scope", "=", which);
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const rows = await query.select(storedHookColumns).orderBy("id").limit(page.limit).offset(page.offset).execute();
  return { total: Number(total), items: rows.map(toStoredHook) };
}

export async function countHooks(db: Reader, owner: SettingsOwner): Promise<number> {
  const query = db.sql.selectFrom("hooks").where(ownedBy(owner));
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  return Number(total);
}

export async function findHook(db: Reader, owner: SettingsOwner, id: number): Promise<StoredHook | undefined> {
  const row = await db.sql.selectFrom("hooks").select(storedHookColumns).where(ownedBy(owner)).where("id", "=", id).executeTakeFirst();
  return row && toStoredHook(row);
}

export async function insertHook(tx: Tx, hook: Insertable<HooksTable>): Promise<number> {
  const { id } = await tx.sql.insertInto("hooks").values(hook).returning("id").executeTakeFirstOrThrow();
  return id;
}

/** Updates a webhook and makes it due. */
export async function updateHook(tx: Tx, id: number, changes: Updateable<HooksTable>): Promise<void> {
  await tx.sql
    .updateTable("hooks")
    .set({ ...changes, failures: 0, blocked_until_ms: 0, failure_notified_ms: null, updated_ms: tx.nowMs })
    .where("id", "=", id)
    .execute();
}

export async function deleteHook(tx: Tx, id: number): Promise<void> {
  await tx.sql.deleteFrom("hooks").where("id", "=", id).execute();
}

/** Copies the server's default webhooks into new repositories. One statement. */
export async function copyDefaultHooks(tx: Tx, repoIds: readonly number[]): Promise<void> {
  const copied = ["type", "name", "url", "content_type", "settings", "events", "branch_filter", "authorization_header", "secret", "is_active"] as const;
  await tx.sql
    .insertInto("hooks")
    .columns(["repo_id", "scope", "created_ms", "updated_ms", ...copied])
    .expression((eb) =>
      eb
        .selectFrom("hooks as h")
        .innerJoin("repositories as r", (join) => join.on("r.id", "in", repoIds))
        .select([
          "r.id as repo_id",
          eb.val<HooksTable["scope"]>("repository").as("scope"),
          eb.val(tx.nowMs).as("created_ms"),
          eb.val(tx.nowMs).as("updated_ms"),
        ])
        .select(copied.map((name) => `h.${name}` as const))
        .where("h.repo_id", "is", null)
        .where("h.owner_id", "is", null)
        .where("h.scope", "=", "default")
        .orderBy("h.id"),
    )
    .execute();
}
