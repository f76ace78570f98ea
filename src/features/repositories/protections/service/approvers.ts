import { atLeast, type Mode, type RepositoryRight, type Unit } from "../../../../access/repository.ts";
import type { Reader } from "../../../../db/db.ts";
import { type BranchRule, ruleForBranch } from "../rules.ts";
import { loadApproverIds, loadRules } from "../store.ts";

/** The users whose reviews count for a branch. */
export interface Approvers {
  readonly rule: BranchRule | undefined;
  isOfficial(user: { readonly id: number; readonly right: Pick<RepositoryRight, "unit"> }): boolean;
  isOfficialTeam(team: { readonly id: number; readonly mode: "none" | "admin" | "owner"; readonly units: ReadonlyMap<Unit, Mode> }): boolean;
}

/**
 * Users whose reviews of pull requests into a branch are official: those listed by its rule, otherwise all writers.
 * One statement, two more if there is a list.
 */
export const loadApprovers = async (db: Reader, repoId: number, branch: string): Promise<Approvers> =>
  approversOf(db, await findBranchRule(db, repoId, branch));

/** As {@link loadApprovers}, for a loaded rule. Two statements if it has a list, otherwise none. */
export async function approversOf(db: Reader, rule: BranchRule | undefined): Promise<Approvers> {
  if (rule?.settings.hasApprovalList === true) {
    const listed = await loadApproverIds(db, rule.id);
    return { rule, isOfficial: ({ id }) => listed.userIds.has(id), isOfficialTeam: ({ id }) => listed.teamIds.has(id) };
  }
  return {
    rule,
    isOfficial: ({ right }) => atLeast(right.unit("repo.code"), "write"),
    isOfficialTeam: ({ mode, units }) => mode !== "none" || atLeast(units.get("repo.code") ?? "none", "write"),
  };
}

/** The rule of a branch. One statement. */
export async function findBranchRule(db: Reader, repoId: number, branch: string): Promise<BranchRule | undefined> {
  return ruleForBranch((await loadRules(db, repoId)).branches, branch);
}
