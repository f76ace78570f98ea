import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { forbidden, invalid, malformed, notFound } from "../../../../core/errors.ts";
import { checkLength, lengths } from "../../../../core/lengths.ts";
import type { Db, Reader, Tx } from "../../../../db/db.ts";
import type { ProtectionList } from "../../../../db/tables/protections.ts";
import { recordEvent } from "../../../../events/events.ts";
import type { BranchRuleEdit, BranchRuleView, NamedList } from "../model.ts";
import { type BranchRule, defaultSettings, inOrder, isBranchPattern, settled } from "../rules.ts";
import { deleteRule, insertRule, type ListChange, loadLists, loadRules, replaceLists, updateRule } from "../store.ts";
import { type ListFields, resolveList } from "./lists.ts";

interface RuleDeps {
  readonly db: Db;
}

const listNames = ["push", "force_push", "merge", "approve"] as const satisfies readonly ProtectionList[];

/** The rules of a repository, in order of precedence. Three statements. */
export async function listBranchRules(deps: { readonly db: Reader }, repository: RepositorySubject): Promise<BranchRuleView[]> {
  const { branches } = await loadRules(deps.db, repository.id);
  return toViews(deps.db, inOrder(branches));
}

/** @throws ForgeError `not_found` */
export async function getBranchRule(deps: { readonly db: Reader }, repository: RepositorySubject, pattern: string): Promise<BranchRuleView> {
  const [view] = await toViews(deps.db, [await requireRule(deps.db, repository, pattern)]);
  if (view === undefined) throw notFound();
  return view;
}

async function requireRule(db: Reader, repository: RepositorySubject, pattern: string): Promise<BranchRule> {
  const { branches } = await loadRules(db, repository.id);
  const rule = branches.find((one) => one.pattern === pattern);
  if (rule === undefined) throw notFound();
  return rule;
}

async function toViews(db: Reader, rules: readonly BranchRule[]): Promise<BranchRuleView[]> {
  const lists = await loadLists(
    db,
    rules.map(({ id }) => id),
  );
  const listOf = (rule: BranchRule, list: ProtectionList): NamedList => lists.get(`${rule.id} ${list}`) ?? { users: [], teams: [] };
  return rules.map((rule) => ({
    ...rule,
    lists: { push: listOf(rule, "push"), force_push: listOf(rule, "force_push"), merge: listOf(rule, "merge"), approve: listOf(rule, "approve") },
  }));
}

/**
 * Protects the branches that match a pattern. Operation `repoCreateBranchProtection`.
 * @throws ForgeError `malformed` without a pattern, `forbidden` if the pattern has a rule, `invalid` for an invalid pattern or unknown users
 */
export async function createBranchRule(
  deps: RuleDeps,
  actor: UserActor,
  repository: RepositorySubject,
  input: BranchRuleEdit & { readonly pattern: string },
): Promise<BranchRuleView> {
  const { pattern } = input;
  if (pattern === "") throw malformed("both rule_name and branch_name are empty", { reason: "required" });
  checkLength("RuleName", pattern, lengths.line);
  if (!isBranchPattern(pattern))
    throw invalid(`"${pattern}" is not a valid branch pattern: close its brackets, or escape them with a backslash`, { reason: "invalid_pattern" });
  return deps.db.tx(async (tx) => {
    const { branches } = await loadRules(tx, repository.id);
    // @compat Gitea returns 403, not 409 (protections/api.test.ts)
    if (branches.some((rule) => rule.pattern === pattern)) throw forbidden("Branch protection already exist", { reason: "rule_exists", body: "message" });
    const priority = input.priority ?? Math.max(0, ...branches.map((rule) => rule.priority)) + 1;
    const settings = settled({ ...defaultSettings, ...input.settings });
    const id = await insertRule(tx, { repoId: repository.id, kind: "branch", pattern, priority, settings });
    await setLists(tx, repository, id, input.lists);
    await recordEvent(tx, "branch_protection.created", eventOf(repository, pattern), { repoId: repository.id, by: actor });
    return getBranchRule({ db: tx }, repository, pattern);
  });
}

/** @throws ForgeError `not_found`, `invalid` as {@link createBranchRule} */
export async function editBranchRule(
  deps: RuleDeps,
  actor: UserActor,
  repository: RepositorySubject,
  pattern: string,
  edit: BranchRuleEdit,
): Promise<BranchRuleView> {
  return deps.db.tx(async (tx) => {
    const rule = await requireRule(tx, repository, pattern);
    const settings = settled({ ...rule.settings, ...edit.settings });
    await updateRule(tx, rule.id, { settings, ...(edit.priority !== undefined && { priority: edit.priority }) });
    await setLists(tx, repository, rule.id, edit.lists);
    await recordEvent(tx, "branch_protection.updated", eventOf(repository, pattern), { repoId: repository.id, by: actor });
    return getBranchRule({ db: tx }, repository, pattern);
  });
}

/** @throws ForgeError `not_found` */
export async function deleteBranchRule(deps: RuleDeps, actor: UserActor, repository: RepositorySubject, pattern: string): Promise<void> {
  await deps.db.tx(async (tx) => {
    const rule = await requireRule(tx, repository, pattern);
    await deleteRule(tx, rule.id);
    await recordEvent(tx, "branch_protection.deleted", eventOf(repository, pattern), { repoId: repository.id, by: actor });
  });
}

/** Orders rules by precedence. Ids of other repositories are ignored. */
export async function orderBranchRules(deps: RuleDeps, actor: UserActor, repository: RepositorySubject, ids: readonly number[]): Promise<void> {
  await deps.db.tx(async (tx) => {
    const { branches } = await loadRules(tx, repository.id);
    const ordered = [...new Set(ids)].flatMap((id) => branches.find((rule) => rule.id === id) ?? []);
    for (const [index, rule] of ordered.entries()) {
      if (rule.priority === index + 1) continue;
      await updateRule(tx, rule.id, { priority: index + 1 });
      await recordEvent(tx, "branch_protection.updated", eventOf(repository, rule.pattern), { repoId: repository.id, by: actor });
    }
  });
}

/** Renames the rule of a renamed branch, within the caller's transaction. */
export async function renameBranchRule(tx: Tx, repoId: number, from: string, to: string): Promise<void> {
  const { branches } = await loadRules(tx, repoId);
  const rule = branches.find(({ pattern }) => pattern === from);
  if (rule !== undefined) await updateRule(tx, rule.id, { pattern: to });
}

const fieldsOf: Readonly<Record<(typeof listNames)[number], ListFields>> = {
  push: { users: "push_whitelist_usernames", teams: "push_whitelist_teams" },
  force_push: { users: "force_push_allowlist_usernames", teams: "force_push_allowlist_teams" },
  merge: { users: "merge_whitelist_usernames", teams: "merge_whitelist_teams" },
  approve: { users: "approvals_whitelist_username", teams: "approvals_whitelist_teams" },
};

async function setLists(tx: Tx, repository: RepositorySubject, ruleId: number, lists: BranchRuleEdit["lists"]): Promise<void> {
  const changes: ListChange[] = [];
  for (const list of listNames) {
    const named = lists[list];
    if (named !== undefined) changes.push({ list, ...(await resolveList(tx, repository, named, fieldsOf[list])) });
  }
  await replaceLists(tx, ruleId, changes);
}

const eventOf = ({ id, fullName }: RepositorySubject, pattern: string) => ({ repoId: id, repoName: fullName, pattern });
