import type { Insertable, Updateable } from "kysely";
import { foldName } from "../../../core/names.ts";
import type { Reader, Tx } from "../../../db/db.ts";
import type { RepositoriesTable } from "../../../db/tables.ts";
import { parseSettings, type RepositorySettings } from "../settings.ts";
import type { TrustModel } from "../view.ts";

export interface NewRepositoryRow {
  readonly ownerId: number;
  readonly name: string;
  readonly description: string;
  readonly isPrivate: boolean;
  readonly isTemplate: boolean;
  readonly codeStoreId: number;
  readonly defaultBranch: string;
  readonly trustModel: TrustModel;
  readonly settings: RepositorySettings;
  /** SPDX ids. */
  readonly licenses: readonly string[];
}

/** How many repositories an owner has and may have (-1: the server's default). */
export interface OwnerState {
  readonly owned: number;
  readonly limit: number;
}

/** Counts one more repository of an owner. @returns the state with it; undefined when he is gone */
export async function countOneMore(tx: Tx, ownerId: number): Promise<OwnerState | undefined> {
  const row = await tx.sql
    .updateTable("accounts")
    .set((eb) => ({ repos_count: eb("repos_count", "+", 1) }))
    .where("id", "=", ownerId)
    .returning(["repos_count", "max_repo_creation"])
    .executeTakeFirst();
  return row && { owned: row.repos_count, limit: row.max_repo_creation };
}

export async function findOwnerState(db: Reader, ownerId: number, name: string): Promise<(OwnerState & { readonly hasName: boolean }) | undefined> {
  const row = await db.sql
    .selectFrom("accounts as o")
    .leftJoin("repositories as r", (join) => join.onRef("r.owner_id", "=", "o.id").on("r.name_folded", "=", foldName(name)).on("r.deleted_ms", "is", null))
    .select(["o.repos_count", "o.max_repo_creation", "r.id as repo_id"])
    .where("o.id", "=", ownerId)
    .executeTakeFirst();
  return row && { owned: row.repos_count, limit: row.max_repo_creation, hasName: row.repo_id !== null };
}

/** Throws a unique violation for a name in use. */
export async function insertRepository(tx: Tx, repository: NewRepositoryRow): Promise<number> {
  const row: Insertable<RepositoriesTable> = {
    owner_id: repository.ownerId,
    name: repository.name,
    name_folded: foldName(repository.name),
    description: repository.description,
    website: "",
    original_url: "",
    is_private: repository.isPrivate ? 1 : 0,
    is_template: repository.isTemplate ? 1 : 0,
    is_archived: 0,
    is_mirror: 0,
    is_empty: 1,
    fork_of: null,
    code_store_id: repository.codeStoreId,
    wiki_store_id: null,
    default_branch: repository.defaultBranch,
    trust_model: repository.trustModel,
    avatar: "",
    settings: JSON.stringify(repository.settings),
    licenses: repository.licenses.join(","),
    language: "",
    watchers_count: 1,
    created_ms: tx.nowMs,
    updated_ms: tx.nowMs,
    archived_ms: 0,
    deleted_ms: null,
  };
  const { id } = await tx.sql.insertInto("repositories").values(row).returning("id").executeTakeFirstOrThrow();
  return id;
}

/** Writes a watch; the repository's counter is the caller's. */
export async function insertWatch(tx: Tx, repoId: number, accountId: number): Promise<void> {
  await tx.sql.insertInto("watches").values({ repo_id: repoId, account_id: accountId, created_ms: tx.nowMs }).execute();
}

export async function updateRepository(tx: Tx, id: number, changes: Updateable<RepositoriesTable>): Promise<void> {
  await tx.sql.updateTable("repositories").set(changes).where("id", "=", id).execute();
}

/** What an edit starts from. */
export interface EditableRepository {
  readonly ownerId: number;
  readonly ownerName: string;
  readonly name: string;
  readonly isPrivate: boolean;
  readonly isArchived: boolean;
  readonly settings: RepositorySettings;
}

export async function findEditable(db: Reader, id: number): Promise<EditableRepository | undefined> {
  const row = await db.sql
    .selectFrom("repositories as r")
    .innerJoin("accounts as o", "o.id", "r.owner_id")
    .select(["r.owner_id", "o.name as owner_name", "r.name", "r.is_private", "r.is_archived", "r.settings"])
    .where("r.id", "=", id)
    .where("r.deleted_ms", "is", null)
    .executeTakeFirst();
  return (
    row && {
      ownerId: row.owner_id,
      ownerName: row.owner_name,
      name: row.name,
      isPrivate: row.is_private === 1,
      isArchived: row.is_archived === 1,
      settings: parseSettings(row.settings),
    }
  );
}

/** Forgets that a name led elsewhere: somebody takes it. */
export async function deleteRedirect(tx: Tx, ownerId: number, name: string): Promise<void> {
  await tx.sql.deleteFrom("repository_redirects").where("owner_id", "=", ownerId).where("name_folded", "=", foldName(name)).execute();
}

export async function insertRedirect(tx: Tx, ownerId: number, name: string, repoId: number): Promise<void> {
  await tx.sql
    .insertInto("repository_redirects")
    .values({ owner_id: ownerId, name_folded: foldName(name), repo_id: repoId })
    .onConflict((conflict) => conflict.columns(["owner_id", "name_folded"]).doUpdateSet({ repo_id: repoId }))
    .execute();
}
