import type { Updateable } from "kysely";
import { foldName } from "../../../../core/names.ts";
import { compiled, type Slots } from "../../../../db/compiled.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { RepositoriesTable } from "../../../../db/tables/repositories.ts";
import type { TrustModel } from "../model.ts";
import { parseSettings, type RepositorySettings } from "../settings.ts";

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
  /** Set for a fork. */
  readonly fork?: ForkedFrom | undefined;
}

export interface ForkedFrom {
  readonly parentId: number;
  readonly networkId: number;
  readonly branchesCount: number;
  /** The main language of the code; empty if unknown. */
  readonly language: string;
}

/** The number of an owner's repositories and its limit (-1 for the server's default). */
export interface OwnerState {
  readonly owned: number;
  readonly limit: number;
}

const countOne = compiled((tx: Tx, given: Slots<{ ownerId: number }>) =>
  tx.sql
    .updateTable("accounts")
    .set((eb) => ({ repos_count: eb("repos_count", "+", 1) }))
    .where("id", "=", given.ownerId)
    .returning(["repos_count", "max_repo_creation"]),
);

/** Increments the number of an owner's repositories. @returns the new state; undefined if the owner was deleted */
export async function countOneMore(tx: Tx, ownerId: number): Promise<OwnerState | undefined> {
  const [row] = await countOne(tx, { ownerId });
  return row && { owned: row.repos_count, limit: row.max_repo_creation };
}

const selectOwnerState = compiled((db, given: Slots<{ ownerId: number; nameFolded: string }>) =>
  db.sql
    .selectFrom("accounts as o")
    .leftJoin("repositories as r", (join) => join.onRef("r.owner_id", "=", "o.id").on("r.name_folded", "=", given.nameFolded).on("r.deleted_ms", "is", null))
    .select(["o.repos_count", "o.max_repo_creation", "r.id as repo_id"])
    .where("o.id", "=", given.ownerId),
);

export async function findOwnerState(db: Reader, ownerId: number, name: string): Promise<(OwnerState & { readonly hasName: boolean }) | undefined> {
  const [row] = await selectOwnerState(db, { ownerId, nameFolded: foldName(name) });
  return row && { owned: row.repos_count, limit: row.max_repo_creation, hasName: row.repo_id !== null };
}

const insertRow = compiled(
  (
    tx: Tx,
    given: Slots<{
      ownerId: number;
      name: string;
      nameFolded: string;
      description: string;
      isPrivate: number;
      isTemplate: number;
      codeStoreId: number;
      defaultBranch: string;
      trustModel: TrustModel;
      settings: string;
      licenses: string;
      forkOf: number | null;
      networkId: number | null;
      isEmpty: number;
      branchesCount: number;
      language: string;
      watchers: number;
      nowMs: number;
    }>,
  ) =>
    tx.sql
      .insertInto("repositories")
      .values({
        owner_id: given.ownerId,
        name: given.name,
        name_folded: given.nameFolded,
        description: given.description,
        website: "",
        original_url: "",
        is_private: given.isPrivate,
        is_template: given.isTemplate,
        is_archived: 0,
        is_mirror: 0,
        is_empty: given.isEmpty,
        branches_count: given.branchesCount,
        fork_of: given.forkOf,
        network_id: given.networkId,
        code_store_id: given.codeStoreId,
        wiki_store_id: null,
        default_branch: given.defaultBranch,
        trust_model: given.trustModel,
        avatar: "",
        settings: given.settings,
        licenses: given.licenses,
        language: given.language,
        watchers_count: given.watchers,
        created_ms: given.nowMs,
        updated_ms: given.nowMs,
        archived_ms: 0,
        deleted_ms: null,
      })
      .returning("id"),
);

/** Throws a unique violation for a name in use. */
export async function insertRepository(tx: Tx, repository: NewRepositoryRow & { readonly isWatched: boolean }): Promise<number> {
  const [row] = await insertRow(tx, {
    ownerId: repository.ownerId,
    name: repository.name,
    nameFolded: foldName(repository.name),
    description: repository.description,
    isPrivate: repository.isPrivate ? 1 : 0,
    isTemplate: repository.isTemplate ? 1 : 0,
    codeStoreId: repository.codeStoreId,
    defaultBranch: repository.defaultBranch,
    trustModel: repository.trustModel,
    settings: JSON.stringify(repository.settings),
    licenses: repository.licenses.join(","),
    forkOf: repository.fork?.parentId ?? null,
    networkId: repository.fork?.networkId ?? null,
    isEmpty: repository.fork === undefined || repository.fork.branchesCount === 0 ? 1 : 0,
    branchesCount: repository.fork?.branchesCount ?? 0,
    language: repository.fork?.language ?? "",
    watchers: repository.isWatched ? 1 : 0,
    nowMs: tx.nowMs,
  });
  if (row === undefined) throw new Error("an inserted repository has no id");
  return row.id;
}

const insertWatchRow = compiled((tx: Tx, given: Slots<{ repoId: number; accountId: number; nowMs: number }>) =>
  tx.sql.insertInto("watches").values({ repo_id: given.repoId, account_id: given.accountId, created_ms: given.nowMs }),
);

/** Inserts a watch; the caller updates the repository's counter. */
export async function insertWatch(tx: Tx, repoId: number, accountId: number): Promise<void> {
  await insertWatchRow(tx, { repoId, accountId, nowMs: tx.nowMs });
}

export async function updateRepository(tx: Tx, id: number, changes: Updateable<RepositoriesTable>): Promise<void> {
  await tx.sql.updateTable("repositories").set(changes).where("id", "=", id).execute();
}

/** The state that an edit starts from. */
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

const deleteRedirectRow = compiled((tx: Tx, given: Slots<{ ownerId: number; nameFolded: string }>) =>
  tx.sql.deleteFrom("repository_redirects").where("owner_id", "=", given.ownerId).where("name_folded", "=", given.nameFolded),
);

/** Deletes the redirect of a name that is used again. */
export async function deleteRedirect(tx: Tx, ownerId: number, name: string): Promise<void> {
  await deleteRedirectRow(tx, { ownerId, nameFolded: foldName(name) });
}

export async function insertRedirect(tx: Tx, ownerId: number, name: string, repoId: number): Promise<void> {
  await tx.sql
    .insertInto("repository_redirects")
    .values({ owner_id: ownerId, name_folded: foldName(name), repo_id: repoId })
    .onConflict((conflict) => conflict.columns(["owner_id", "name_folded"]).doUpdateSet({ repo_id: repoId }))
    .execute();
}
