import type { Mode, Unit } from "../../access/repository.ts";
import { foldName } from "../../core/names.ts";
import { type Batch, newBatch } from "../../db/row-batch.ts";
import type { ImportedAccounts } from "./accounts.ts";
import type { Conversion } from "./context.ts";
import { flagOf, numberOf, textOf } from "./source.ts";

/** Units by Gitea's numbers. */
export const unitsByType: Readonly<Record<number, Unit>> = {
  1: "repo.code",
  2: "repo.issues",
  3: "repo.pulls",
  4: "repo.releases",
  5: "repo.wiki",
  6: "repo.ext_wiki",
  7: "repo.ext_issues",
  8: "repo.projects",
  9: "repo.packages",
  10: "repo.actions",
};
export const modes: readonly Mode[] = ["none", "read", "write", "admin", "owner"];

export interface ConvertedOrganizations {
  readonly batch: Batch;
  /** Ids of the imported teams. */
  readonly teams: ReadonlySet<number>;
  /** Those that have a list of repositories. */
  readonly teamsWithList: ReadonlySet<number>;
}

/** Teams with units and members. Teams get their repositories with each repository. */
export async function convertOrganizations({ source, report }: Conversion, accounts: ImportedAccounts): Promise<ConvertedOrganizations> {
  const { database } = source;
  const batch = newBatch();
  const teams = new Map<number, number>();
  const names = new Set<string>();
  const teamsWithList = new Set<number>();
  for (const row of await database.all("select * from team order by id")) {
    const [id, orgId, name] = [numberOf(row.id), numberOf(row.org_id), textOf(row.name)];
    if (accounts.kinds.get(orgId) !== "organization") {
      report.without("teams without an organization", name);
      continue;
    }
    teams.set(id, orgId);
    if (flagOf(row.includes_all_repositories) === 0) teamsWithList.add(id);
    const mode = modes[numberOf(row.authorize)] ?? "none";
    const isTaken = names.has(`${orgId} ${foldName(name)}`);
    const ownName = isTaken ? `${name}-${id}` : name;
    names.add(`${orgId} ${foldName(ownName)}`);
    if (isTaken) report.renamed("team", name, ownName);
    batch.add("teams", {
      id,
      org_id: orgId,
      name: ownName,
      name_folded: foldName(ownName),
      description: textOf(row.description),
      mode: mode === "owner" || mode === "admin" ? mode : "none",
      includes_all_repositories: flagOf(row.includes_all_repositories),
      can_create_org_repo: flagOf(row.can_create_org_repo),
    });
  }
  await addUnits({ source, batch, teams });
  await addMembers({ source, batch, teams }, accounts);
  report.count("teams", teams.size);
  report.count("team members", batch.size("team_members"));
  return { batch, teams: new Set(teams.keys()), teamsWithList };
}

interface Adding extends Pick<Conversion, "source"> {
  readonly batch: Batch;
  readonly teams: ReadonlyMap<number, number>;
}

async function addUnits({ source, batch, teams }: Adding): Promise<void> {
  const modesOf = new Map<string, { readonly teamId: number; readonly unit: Unit; readonly mode: Mode }>();
  for (const row of await source.database.all("select * from team_unit order by id")) {
    const unit = unitsByType[numberOf(row.type)];
    const mode = modes[numberOf(row.access_mode)] ?? "none";
    if (unit !== undefined && teams.has(numberOf(row.team_id))) modesOf.set(`${numberOf(row.team_id)} ${unit}`, { teamId: numberOf(row.team_id), unit, mode });
  }
  // Administrators and owners have all units without rows.
  const perUnit = new Set((batch.tables.get("teams") ?? []).flatMap((row) => ((row as { mode: string }).mode === "none" ? (row as { id: number }).id : [])));
  for (const { teamId, unit, mode } of modesOf.values()) if (perUnit.has(teamId)) batch.add("team_units", { team_id: teamId, unit, mode });
}

/** A member of an organization is a member of one of its teams. */
async function addMembers({ source, batch, teams }: Adding, { kinds }: ImportedAccounts): Promise<void> {
  const { database } = source;
  const publicMembers = new Set<string>();
  for (const row of await database.all("select * from org_user order by id"))
    if (flagOf(row.is_public) === 1) publicMembers.add(`${numberOf(row.org_id)} ${numberOf(row.uid)}`);
  const memberships = new Set<string>();
  const members = new Map<string, { readonly orgId: number; readonly accountId: number }>();
  for (const row of await database.all("select * from team_user order by id")) {
    const [teamId, accountId] = [numberOf(row.team_id), numberOf(row.uid)];
    const orgId = teams.get(teamId);
    if (orgId === undefined || kinds.get(accountId) !== "user" || memberships.has(`${teamId} ${accountId}`)) continue;
    memberships.add(`${teamId} ${accountId}`);
    members.set(`${orgId} ${accountId}`, { orgId, accountId });
    batch.add("team_members", { team_id: teamId, account_id: accountId, org_id: orgId });
  }
  for (const [key, { orgId, accountId }] of members)
    batch.add("organization_members", { org_id: orgId, account_id: accountId, is_public: publicMembers.has(key) ? 1 : 0 });
}
