import { sql } from "kysely";
import { anyOf } from "../../../db/any-of.ts";
import { compiled, type Slots } from "../../../db/compiled.ts";
import type { Reader, Tx } from "../../../db/db.ts";
import type { ProtectionList } from "../../../db/tables/protections.ts";
import type { FileLock, Locks } from "./locks.ts";
import type { BranchRule, BranchRuleSettings, TagRule } from "./rules.ts";

/** Includes the locked files, so that one statement loads both. */
const selectRules = compiled((db, given: Slots<{ repoId: number }>) =>
  db.sql
    .selectFrom("ref_protections")
    .select((eb) => [eb.ref("kind").$castTo<string>().as("kind"), "id", "pattern", "priority", "settings", "created_ms", "updated_ms"])
    .where("repo_id", "=", given.repoId)
    .unionAll((eb) =>
      eb
        .selectFrom("lfs_locks as l")
        .innerJoin("accounts as a", "a.id", "l.account_id")
        .select([
          sql<string>`'lock'`.as("kind"),
          "l.id",
          "l.path as pattern",
          "l.account_id as priority",
          "a.name as settings",
          "l.created_ms",
          "l.created_ms as updated_ms",
        ])
        .where("l.repo_id", "=", given.repoId),
    )
    .orderBy("id"),
);

export interface RuleSet {
  readonly branches: readonly BranchRule[];
  readonly tags: readonly TagRule[];
  readonly locks: Locks;
}

/** All rules of a repository, oldest first, and its locked files. One statement. */
export async function loadRules(db: Reader, repoId: number): Promise<RuleSet> {
  const branches: BranchRule[] = [];
  const tags: TagRule[] = [];
  const locks = new Map<string, FileLock>();
  for (const row of await selectRules(db, { repoId })) {
    const rule = { id: row.id, pattern: row.pattern, createdMs: row.created_ms, updatedMs: row.updated_ms };
    if (row.kind === "lock") locks.set(row.pattern, { ownerId: row.priority, ownerName: row.settings });
    else if (row.kind === "tag") tags.push(rule);
    else branches.push({ ...rule, priority: row.priority, settings: JSON.parse(row.settings) as BranchRuleSettings });
  }
  return { branches, tags, locks };
}

/** The lists of a repository's rules that contain an account, directly or through a team, as `id list`. One statement. */
export async function loadListed(db: Reader, repoId: number, accountId: number): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ protection_id: number; list: string }>`
    select u.protection_id, u.list from ref_protection_users u join ref_protections p on p.id = u.protection_id
    where p.repo_id = ${repoId} and u.account_id = ${accountId}
    union
    select t.protection_id, t.list from ref_protection_teams t join ref_protections p on p.id = t.protection_id
    join team_members m on m.team_id = t.team_id and m.account_id = ${accountId}
    where p.repo_id = ${repoId}`.execute(db.sql);
  return new Set(rows.map((row) => `${row.protection_id} ${row.list}`));
}

/** Names on a list of a rule, sorted. */
export interface ListedNames {
  readonly users: readonly string[];
  readonly teams: readonly string[];
}

/** The approvers that a rule lists: users, directly or through a team, and the teams. Two statements. */
export async function loadApproverIds(db: Reader, ruleId: number): Promise<{ readonly userIds: ReadonlySet<number>; readonly teamIds: ReadonlySet<number> }> {
  const { rows: users } = await sql<{ id: number }>`
    select u.account_id as id from ref_protection_users u where u.protection_id = ${ruleId} and u.list = 'approve'
    union
    select m.account_id as id from ref_protection_teams t join team_members m on m.team_id = t.team_id
    where t.protection_id = ${ruleId} and t.list = 'approve'`.execute(db.sql);
  const teams = await db.sql
    .selectFrom("ref_protection_teams")
    .select("team_id as id")
    .where("protection_id", "=", ruleId)
    .where("list", "=", "approve")
    .execute();
  return { userIds: new Set(users.map(({ id }) => id)), teamIds: new Set(teams.map(({ id }) => id)) };
}

/** The lists of several rules, by `id list`. Two statements. */
export async function loadLists(db: Reader, ruleIds: readonly number[]): Promise<ReadonlyMap<string, ListedNames>> {
  if (ruleIds.length === 0) return new Map();
  const users = await db.sql
    .selectFrom("ref_protection_users as l")
    .innerJoin("accounts as a", "a.id", "l.account_id")
    .select(["l.protection_id", "l.list", "a.name"])
    .where((eb) => anyOf(db, eb.ref("l.protection_id"), ruleIds))
    .orderBy("a.id")
    .execute();
  const teams = await db.sql
    .selectFrom("ref_protection_teams as l")
    .innerJoin("teams as t", "t.id", "l.team_id")
    .select(["l.protection_id", "l.list", "t.name"])
    .where((eb) => anyOf(db, eb.ref("l.protection_id"), ruleIds))
    .orderBy("t.id")
    .execute();
  const lists = new Map<string, { users: string[]; teams: string[] }>();
  const listOf = (row: { readonly protection_id: number; readonly list: string }) => {
    const key = `${row.protection_id} ${row.list}`;
    const found = lists.get(key) ?? { users: [], teams: [] };
    lists.set(key, found);
    return found;
  };
  for (const row of users) listOf(row).users.push(row.name);
  for (const row of teams) listOf(row).teams.push(row.name);
  return lists;
}

/** Teams of an organization by folded name. */
export async function findTeamIds(db: Reader, orgId: number, foldedNames: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (foldedNames.length === 0) return new Map();
  const rows = await db.sql
    .selectFrom("teams")
    .select(["id", "name_folded"])
    .where("org_id", "=", orgId)
    .where((eb) => anyOf(db, eb.ref("name_folded"), foldedNames))
    .execute();
  return new Map(rows.map((row) => [row.name_folded, row.id]));
}

export interface NewRule {
  readonly repoId: number;
  readonly kind: "branch" | "tag";
  readonly pattern: string;
  readonly priority: number;
  readonly settings: BranchRuleSettings | Record<never, never>;
}

export async function insertRule(tx: Tx, rule: NewRule): Promise<number> {
  const { id } = await tx.sql
    .insertInto("ref_protections")
    .values({
      repo_id: rule.repoId,
      kind: rule.kind,
      pattern: rule.pattern,
      priority: rule.priority,
      settings: JSON.stringify(rule.settings),
      created_ms: tx.nowMs,
      updated_ms: tx.nowMs,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export interface RuleChange {
  readonly pattern?: string;
  readonly priority?: number;
  readonly settings?: BranchRuleSettings;
}

export async function updateRule(tx: Tx, id: number, { pattern, priority, settings }: RuleChange): Promise<void> {
  await tx.sql
    .updateTable("ref_protections")
    .set({
      updated_ms: tx.nowMs,
      ...(pattern !== undefined && { pattern }),
      ...(priority !== undefined && { priority }),
      ...(settings !== undefined && { settings: JSON.stringify(settings) }),
    })
    .where("id", "=", id)
    .execute();
}

export async function deleteRule(tx: Tx, id: number): Promise<void> {
  await tx.sql.deleteFrom("ref_protections").where("id", "=", id).execute();
}

/** The new members of a list. */
export interface ListChange {
  readonly list: ProtectionList;
  readonly userIds?: readonly number[];
  readonly teamIds?: readonly number[];
}

/** Replaces lists of a rule; lists that are not given are unchanged. */
export async function replaceLists(tx: Tx, ruleId: number, changes: readonly ListChange[]): Promise<void> {
  const users = changes.filter(({ userIds }) => userIds !== undefined);
  const teams = changes.filter(({ teamIds }) => teamIds !== undefined);
  const lists = (of: readonly ListChange[]): ProtectionList[] => of.map(({ list }) => list);
  if (users.length > 0) await tx.sql.deleteFrom("ref_protection_users").where("protection_id", "=", ruleId).where("list", "in", lists(users)).execute();
  if (teams.length > 0) await tx.sql.deleteFrom("ref_protection_teams").where("protection_id", "=", ruleId).where("list", "in", lists(teams)).execute();
  const newUsers = users.flatMap(({ list, userIds = [] }) => [...new Set(userIds)].map((id) => ({ protection_id: ruleId, list, account_id: id })));
  const newTeams = teams.flatMap(({ list, teamIds = [] }) => [...new Set(teamIds)].map((id) => ({ protection_id: ruleId, list, team_id: id })));
  if (newUsers.length > 0) await tx.sql.insertInto("ref_protection_users").values(newUsers).execute();
  if (newTeams.length > 0) await tx.sql.insertInto("ref_protection_teams").values(newTeams).execute();
}

/** Copies the branch rules of another repository, without lists, to a repository without rules. One statement. */
export async function copyBranchRules(tx: Tx, fromRepoId: number, toRepoId: number): Promise<void> {
  await tx.sql
    .insertInto("ref_protections")
    .columns(["repo_id", "kind", "pattern", "priority", "settings", "created_ms", "updated_ms"])
    .expression((eb) =>
      eb
        .selectFrom("ref_protections")
        .select([
          sql<number>`cast(${toRepoId} as bigint)`.as("repo_id"),
          "kind",
          "pattern",
          "priority",
          "settings",
          sql<number>`cast(${tx.nowMs} as bigint)`.as("created_ms"),
          sql<number>`cast(${tx.nowMs} as bigint)`.as("updated_ms"),
        ])
        .where("repo_id", "=", fromRepoId)
        .where("kind", "=", "branch"),
    )
    .execute();
}

/** Removes teams of other owners from the lists of a repository's rules. One statement. */
export async function deleteForeignTeams(tx: Tx, repoId: number, ownerId: number): Promise<void> {
  await tx.sql
    .deleteFrom("ref_protection_teams")
    .where("protection_id", "in", (eb) => eb.selectFrom("ref_protections").select("id").where("repo_id", "=", repoId))
    .where("team_id", "not in", (eb) => eb.selectFrom("teams").select("id").where("org_id", "=", ownerId))
    .execute();
}
