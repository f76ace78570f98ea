import { sql } from "kysely";
import type { Mode, Unit } from "../../../../access/repository.ts";
import { anyOf } from "../../../../db/any-of.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { TeamView } from "../../../organizations/orgs/model.ts";
import type { PendingTransfer } from "../model.ts";

export async function findTransfer(db: Reader, repoId: number): Promise<PendingTransfer | undefined> {
  const row = await db.sql
    .selectFrom("repository_transfers as tf")
    .innerJoin("accounts as a", "a.id", "tf.recipient_id")
    .select(["tf.recipient_id", "tf.adds_collaborator", "a.name", "a.kind"])
    .where("tf.repo_id", "=", repoId)
    .executeTakeFirst();
  return (
    row && {
      recipientId: row.recipient_id,
      recipientName: row.name,
      recipientKind: row.kind === "organization" ? "organization" : "user",
      addsCollaborator: row.adds_collaborator === 1,
    }
  );
}

export interface NewTransfer {
  readonly repoId: number;
  readonly doerId: number;
  readonly recipientId: number;
  readonly teamIds: readonly number[];
  readonly addsCollaborator: boolean;
}

/** Throws a unique violation if a transfer is pending already. */
export async function insertTransfer(tx: Tx, { repoId, doerId, recipientId, teamIds, addsCollaborator }: NewTransfer): Promise<void> {
  await tx.sql
    .insertInto("repository_transfers")
    .values({ repo_id: repoId, doer_id: doerId, recipient_id: recipientId, adds_collaborator: addsCollaborator ? 1 : 0, created_ms: tx.nowMs })
    .execute();
  if (teamIds.length === 0) return;
  await tx.sql
    .insertInto("repository_transfer_teams")
    .values(teamIds.map((teamId) => ({ repo_id: repoId, team_id: teamId })))
    .execute();
}

export async function deleteTransfer(tx: Tx, repoId: number): Promise<void> {
  await tx.sql.deleteFrom("repository_transfers").where("repo_id", "=", repoId).execute();
}

export async function listTransferTeamIds(db: Reader, repoId: number): Promise<readonly number[]> {
  const rows = await db.sql.selectFrom("repository_transfer_teams").select("team_id").where("repo_id", "=", repoId).execute();
  return rows.map((row) => row.team_id);
}

/** Teams to be added on acceptance, by repository. One statement. */
export async function loadTransferTeams(db: Reader, repoIds: readonly number[]): Promise<ReadonlyMap<number, readonly TeamView[]>> {
  const rows = await db.sql
    .selectFrom("repository_transfer_teams as tt")
    .innerJoin("teams as t", "t.id", "tt.team_id")
    .select(["tt.repo_id", "t.id", "t.org_id", "t.name", "t.description", "t.mode", "t.includes_all_repositories", "t.can_create_org_repo"])
    // Names of units and modes contain neither separator.
    .select(sql<string | null>`(select string_agg(u.unit || '=' || u.mode, ',') from team_units u where u.team_id = t.id)`.as("grants"))
    .where((eb) => anyOf(db, eb.ref("tt.repo_id"), repoIds))
    .orderBy("t.id")
    .execute();
  const grantsOf = (text: string | null): [Unit, Mode][] => (text ? text.split(",") : []).map((grant) => grant.split("=") as [Unit, Mode]);
  const teams = rows.map((row) => ({
    repoId: row.repo_id,
    id: row.id,
    orgId: row.org_id,
    name: row.name,
    description: row.description,
    mode: row.mode,
    units: new Map(grantsOf(row.grants)),
    includesAllRepositories: row.includes_all_repositories === 1,
    canCreateRepositories: row.can_create_org_repo === 1,
  }));
  return Map.groupBy(teams, ({ repoId }) => repoId);
}
