import type { SettingsOwner } from "../../../../access/settings-owner.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import { ownerColumns, type VariableView } from "../model.ts";
import { ownedBy } from "./owned.ts";

const columns = ["repo_id", "owner_id", "name", "value", "description"] as const;

const toView = (row: {
  readonly repo_id: number | null;
  readonly owner_id: number | null;
  readonly name: string;
  readonly value: string;
  readonly description: string;
}): VariableView => ({ ownerId: row.owner_id ?? 0, repoId: row.repo_id ?? 0, name: row.name, value: row.value, description: row.description });

/** The variables of an owner by name. Two statements. */
export async function pageVariables(db: Reader, owner: SettingsOwner, page: Page): Promise<Paged<VariableView>> {
  const query = db.sql.selectFrom("action_variables").where(ownedBy(owner));
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const rows = await query.select(columns).orderBy("name").limit(page.limit).offset(page.offset).execute();
  return { items: rows.map(toView), total: Number(total) };
}

export async function findVariable(db: Reader, owner: SettingsOwner, name: string): Promise<VariableView | undefined> {
  const row = await db.sql.selectFrom("action_variables").select(columns).where(ownedBy(owner)).where("name", "=", name).executeTakeFirst();
  return row && toView(row);
}

interface Values {
  readonly name: string;
  readonly value: string;
  readonly description: string;
}

export async function insertVariable(tx: Tx, owner: SettingsOwner, { name, value, description }: Values): Promise<void> {
  await tx.sql
    .insertInto("action_variables")
    .values({ ...ownerColumns(owner), name, value, description, created_ms: tx.nowMs, updated_ms: tx.nowMs })
    .execute();
}

/** @returns false if no variable has the present name */
export async function updateVariable(tx: Tx, owner: SettingsOwner, present: string, { name, value, description }: Values): Promise<boolean> {
  const { numUpdatedRows } = await tx.sql
    .updateTable("action_variables")
    .set({ name, value, description, updated_ms: tx.nowMs })
    .where(ownedBy(owner))
    .where("name", "=", present)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** @returns false if no variable has this name */
export async function deleteVariable(tx: Tx, owner: SettingsOwner, name: string): Promise<boolean> {
  const { numDeletedRows } = await tx.sql.deleteFrom("action_variables").where(ownedBy(owner)).where("name", "=", name).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** The variables of a repository and its owner, those of the repository last. One statement. */
export async function listValues(db: Reader, repoId: number, ownerId: number): Promise<readonly { readonly name: string; readonly value: string }[]> {
  const rows = await db.sql
    .selectFrom("action_variables")
    .select(["repo_id", "name", "value"])
    .where((eb) => eb.or([eb("repo_id", "=", repoId), eb("owner_id", "=", ownerId)]))
    .execute();
  return [...rows.filter(({ repo_id }) => repo_id === null), ...rows.filter(({ repo_id }) => repo_id !== null)];
}
