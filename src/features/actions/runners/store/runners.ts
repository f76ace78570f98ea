import type { ExpressionBuilder, Updateable } from "kysely";
import type { SettingsOwner } from "../../../../access/settings-owner.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import { compiled, type Slots } from "../../../../db/compiled.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { ActionRunnersTable } from "../../../../db/tables/actions.ts";
import type { Tables } from "../../../../db/tables.ts";
import { ownerColumns } from "../../secrets/model.ts";
import type { StoredRunner } from "../model.ts";

const columns = ["id", "uuid", "repo_id", "owner_id", "name", "version", "labels", "is_ephemeral", "is_disabled", "seen_ms", "active_ms"] as const;

const ownedBy = (owner: SettingsOwner) => (eb: ExpressionBuilder<Tables, "action_runners">) =>
  owner.scope === "repository" ? eb("repo_id", "=", owner.repoId) : owner.scope === "owner" ? eb("owner_id", "=", owner.ownerId) : eb.val(true);

/** The runners of an owner, oldest first; of the server: those of all owners. Two statements. */
export async function pageRunners(db: Reader, owner: SettingsOwner, isDisabled: boolean | undefined, page: Page): Promise<Paged<StoredRunner>> {
  let query = db.sql.selectFrom("action_runners");
  if (owner.scope !== "server") query = query.where(ownedBy(owner));
  if (isDisabled !== undefined) query = query.where("is_disabled", "=", isDisabled ? 1 : 0);
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const items = await query.select(columns).orderBy("id").limit(page.limit).offset(page.offset).execute();
  return { items, total: Number(total) };
}

export const findRunner = (db: Reader, id: number): Promise<StoredRunner | undefined> =>
  db.sql.selectFrom("action_runners").select(columns).where("id", "=", id).executeTakeFirst();

const findByUuid = compiled((db: Reader, given: Slots<{ uuid: string }>) =>
  db.sql
    .selectFrom("action_runners")
    .select([...columns, "token_hash"])
    .where("uuid", "=", given.uuid),
);

export async function findRunnerByUuid(db: Reader, uuid: string): Promise<(StoredRunner & { readonly token_hash: string }) | undefined> {
  const [row] = await findByUuid(db, { uuid });
  return row;
}

export interface NewRunner {
  readonly uuid: string;
  readonly tokenHash: string;
  readonly name: string;
  readonly version: string;
  readonly labels: readonly string[];
  readonly isEphemeral: boolean;
}

export async function insertRunner(tx: Tx, owner: SettingsOwner, runner: NewRunner): Promise<number> {
  const { id } = await tx.sql
    .insertInto("action_runners")
    .values({
      ...ownerColumns(owner),
      uuid: runner.uuid,
      token_hash: runner.tokenHash,
      name: runner.name,
      version: runner.version,
      labels: JSON.stringify(runner.labels),
      is_ephemeral: runner.isEphemeral ? 1 : 0,
      seen_ms: 0,
      created_ms: tx.nowMs,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateRunner(tx: Tx, id: number, changes: Updateable<ActionRunnersTable>): Promise<void> {
  await tx.sql.updateTable("action_runners").set(changes).where("id", "=", id).execute();
}

export async function deleteRunner(tx: Tx, id: number): Promise<void> {
  await tx.sql.deleteFrom("action_runners").where("id", "=", id).execute();
}

export async function deleteEphemeral(tx: Tx, id: number): Promise<void> {
  await tx.sql.deleteFrom("action_runners").where("id", "=", id).where("is_ephemeral", "=", 1).execute();
}

/** The names of the owners of runners, by id of the runner: a repository, an account, or nothing for the server. */
export async function listOwnerNames(db: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.sql
    .selectFrom("action_runners as u")
    .leftJoin("repositories as r", "r.id", "u.repo_id")
    .leftJoin("accounts as a", (join) => join.on((eb) => eb("a.id", "=", eb.fn.coalesce("u.owner_id", "r.owner_id"))))
    .select(["u.id", "a.name as account", "r.name as repository"])
    .where("u.id", "in", ids)
    .execute();
  return new Map(rows.map(({ id, account, repository }) => [id, repository === null ? (account ?? "") : `${account}/${repository}`]));
}
