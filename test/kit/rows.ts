import type { Insertable } from "kysely";
import type { Tx } from "../../src/db/db.ts";
import type { Tables } from "../../src/db/tables.ts";

// Rows for the tests of this layer, with defaults for all columns that are not given.

type Given<Table extends keyof Tables, Needed extends keyof Insertable<Tables[Table]>> = Partial<Insertable<Tables[Table]>> &
  Pick<Insertable<Tables[Table]>, Needed>;

export async function account(tx: Tx, given: Given<"accounts", "name" | "name_folded">): Promise<number> {
  const plain = { kind: "user", full_name: "", email: "", description: "", website: "", location: "", visibility: "public", avatar: "" } as const;
  const row = { ...plain, created_ms: 1, updated_ms: 1, ...given };
  return (await tx.sql.insertInto("accounts").values(row).returning("id").executeTakeFirstOrThrow()).id;
}

export async function gitStore(tx: Tx): Promise<number> {
  const row = { object_format: "sha1", head_ref: "refs/heads/main", created_ms: 1 } as const;
  return (await tx.sql.insertInto("git_stores").values(row).returning("id").executeTakeFirstOrThrow()).id;
}

type RepositoryGiven = Given<"repositories", "owner_id" | "code_store_id" | "name" | "name_folded">;

export function repositoryRow(given: RepositoryGiven) {
  const texts = { description: "", website: "", original_url: "", default_branch: "main", avatar: "", settings: "{}", licenses: "", language: "" };
  const flags = { is_private: 0, is_template: 0, is_archived: 0, is_mirror: 0, is_empty: 1 };
  const nothing = { fork_of: null, wiki_store_id: null, deleted_ms: null, archived_ms: 0 };
  return { ...texts, ...flags, ...nothing, trust_model: "default" as const, created_ms: 1, updated_ms: 1, ...given };
}

export async function repository(tx: Tx, given: RepositoryGiven): Promise<number> {
  return (await tx.sql.insertInto("repositories").values(repositoryRow(given)).returning("id").executeTakeFirstOrThrow()).id;
}

export interface TeamGiven {
  readonly orgId: number;
  readonly name: string;
  readonly mode?: "none" | "admin" | "owner";
  /** Access mode by unit. */
  readonly units?: Readonly<Record<string, "none" | "read" | "write" | "admin">>;
  readonly hasAllRepositories?: boolean;
  readonly createsRepositories?: boolean;
  readonly repositories?: readonly number[];
  readonly members: readonly number[];
}

/** A team of an organization; its members become members of the organization. */
export async function team(tx: Tx, given: TeamGiven): Promise<number> {
  const { orgId, name, mode = "none", units = {}, repositories = [], members } = given;
  const { id } = await tx.sql
    .insertInto("teams")
    .values({
      org_id: orgId,
      name,
      name_folded: name.toLowerCase(),
      description: "",
      mode,
      includes_all_repositories: given.hasAllRepositories === true ? 1 : 0,
      can_create_org_repo: given.createsRepositories === true ? 1 : 0,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  for (const [unit, granted] of Object.entries(units)) await tx.sql.insertInto("team_units").values({ team_id: id, unit, mode: granted }).execute();
  for (const repo_id of repositories) await tx.sql.insertInto("team_repositories").values({ team_id: id, repo_id }).execute();
  for (const account_id of members) {
    await tx.sql.insertInto("team_members").values({ team_id: id, account_id, org_id: orgId }).execute();
    await tx.sql
      .insertInto("organization_members")
      .values({ org_id: orgId, account_id, is_public: 0 })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  return id;
}
