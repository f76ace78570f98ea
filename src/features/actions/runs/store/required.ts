import type { Reader, Tx } from "../../../../db/db.ts";
import type { RequiredWorkflow } from "../model.ts";

const select = (db: Reader, ownerId: number) =>
  db.sql
    .selectFrom("action_required_workflows as q")
    .innerJoin("repositories as s", "s.id", "q.repo_id")
    .innerJoin("accounts as o", "o.id", "s.owner_id")
    .select(["q.id", "q.repo_id", "q.path", "q.branch", "q.on_push", "q.on_pull", "q.covers_all", "s.name", "o.name as owner_name"])
    .where("q.owner_id", "=", ownerId)
    .orderBy("q.id");

type Row = Awaited<ReturnType<ReturnType<typeof select>["execute"]>>[number];

const toRequired = (row: Row, covered: readonly string[]): RequiredWorkflow => ({
  id: row.id,
  repoId: row.repo_id,
  fullName: `${row.owner_name}/${row.name}`,
  path: row.path,
  branch: row.branch,
  onPush: row.on_push === 1,
  onPull: row.on_pull === 1,
  covered: row.covers_all === 1 ? undefined : covered,
});

/** The workflows that an organization requires, with the names of the chosen repositories. Two statements. */
export async function listRequired(db: Reader, ownerId: number): Promise<readonly RequiredWorkflow[]> {
  const rows = await select(db, ownerId).execute();
  if (rows.length === 0) return [];
  const chosen = await db.sql
    .selectFrom("action_required_repositories as c")
    .innerJoin("action_required_workflows as q", "q.id", "c.required_id")
    .innerJoin("repositories as r", "r.id", "c.repo_id")
    .select(["c.required_id", "r.name"])
    .where("q.owner_id", "=", ownerId)
    .where("r.deleted_ms", "is", null)
    .orderBy("r.name_folded")
    .execute();
  return rows.map((row) =>
    toRequired(
      row,
      chosen.flatMap(({ required_id, name }) => (required_id === row.id ? name : [])),
    ),
  );
}

/** Those that are required in a repository for an event. One statement. */
export async function listRequiredIn(
  db: Reader,
  { id, ownerId }: { readonly id: number; readonly ownerId: number },
  event: "on_push" | "on_pull",
): Promise<readonly RequiredWorkflow[]> {
  const rows = await select(db, ownerId)
    .where(`q.${event}`, "=", 1)
    .where((eb) =>
      eb.or([
        eb("q.covers_all", "=", 1),
        eb.exists(eb.selectFrom("action_required_repositories as c").select("c.repo_id").whereRef("c.required_id", "=", "q.id").where("c.repo_id", "=", id)),
      ]),
    )
    .execute();
  return rows.map((row) => toRequired(row, []));
}

/** Ids of the repositories of an owner with some names. One statement; none without names. */
export async function findOwned(db: Reader, ownerId: number, foldedNames: readonly string[]): Promise<readonly number[]> {
  if (foldedNames.length === 0) return [];
  const rows = await db.sql
    .selectFrom("repositories")
    .select("id")
    .where("owner_id", "=", ownerId)
    .where("name_folded", "in", foldedNames)
    .where("deleted_ms", "is", null)
    .execute();
  return rows.map(({ id }) => id);
}

interface Added {
  readonly ownerId: number;
  readonly repoId: number;
  readonly path: string;
  readonly branch: string;
  readonly onPush: boolean;
  readonly onPull: boolean;
  readonly coversAll: boolean;
}

/** @throws DbConstraintError if the file is required already. At most two statements. */
export async function insertRequired(tx: Tx, added: Added, covered: readonly number[]): Promise<void> {
  const { id } = await tx.sql
    .insertInto("action_required_workflows")
    .values({
      owner_id: added.ownerId,
      repo_id: added.repoId,
      path: added.path,
      branch: added.branch,
      on_push: added.onPush ? 1 : 0,
      on_pull: added.onPull ? 1 : 0,
      covers_all: added.coversAll ? 1 : 0,
      created_ms: tx.nowMs,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  if (covered.length === 0) return;
  await tx.sql
    .insertInto("action_required_repositories")
    .values(covered.map((repoId) => ({ required_id: id, repo_id: repoId })))
    .execute();
}

/** @returns the name of the file; undefined if the organization does not have it */
export async function deleteRequired(tx: Tx, ownerId: number, id: number): Promise<string | undefined> {
  const row = await select(tx, ownerId).where("q.id", "=", id).executeTakeFirst();
  if (row === undefined) return undefined;
  await tx.sql.deleteFrom("action_required_workflows").where("id", "=", id).where("owner_id", "=", ownerId).execute();
  return `${row.owner_name}/${row.name}/${row.path}`;
}
