import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { invalid, malformed, notFound } from "../../../../core/errors.ts";
import { checkLength, lengths } from "../../../../core/lengths.ts";
import type { Db, Reader } from "../../../../db/db.ts";
import { recordEvent } from "../../../../events/events.ts";
import type { NamedList, TagRuleEdit, TagRuleView } from "../model.ts";
import { isTagPattern, type TagRule } from "../rules.ts";
import { deleteRule, insertRule, loadLists, loadRules, replaceLists, updateRule } from "../store.ts";
import { resolveList } from "./lists.ts";

const fields = { users: "whitelist_usernames", teams: "whitelist_teams" } as const;

interface RuleDeps {
  readonly db: Db;
}

/** The tag rules of a repository, oldest first. Three statements. */
export async function listTagRules(deps: { readonly db: Reader }, repository: RepositorySubject): Promise<TagRuleView[]> {
  return toViews(deps.db, (await loadRules(deps.db, repository.id)).tags);
}

/** @throws ForgeError `not_found` */
export async function getTagRule(deps: { readonly db: Reader }, repository: RepositorySubject, id: number): Promise<TagRuleView> {
  const [view] = await toViews(deps.db, [await requireRule(deps.db, repository, id)]);
  if (view === undefined) throw notFound();
  return view;
}

async function requireRule(db: Reader, repository: RepositorySubject, id: number): Promise<TagRule> {
  const rule = (await loadRules(db, repository.id)).tags.find((one) => one.id === id);
  if (rule === undefined) throw notFound();
  return rule;
}

async function toViews(db: Reader, rules: readonly TagRule[]): Promise<TagRuleView[]> {
  const lists = await loadLists(
    db,
    rules.map(({ id }) => id),
  );
  return rules.map((rule) => ({ ...rule, list: lists.get(`${rule.id} tag`) ?? { users: [], teams: [] } }));
}

/**
 * Restricts creating, moving and deleting the tags that match a pattern to listed users. Operation `repoCreateTagProtection`.
 * @throws ForgeError `malformed` without a pattern or an empty list, `invalid` for an invalid pattern, a pattern with a rule, or unknown users
 */
export async function createTagRule(
  deps: RuleDeps,
  actor: UserActor,
  repository: RepositorySubject,
  { pattern, list }: { readonly pattern: string; readonly list: NamedList },
): Promise<TagRuleView> {
  if (pattern === "") throw malformed("name_pattern are empty", { reason: "required" });
  if (list.users.length === 0 && list.teams.length === 0)
    throw malformed("both whitelist_usernames and whitelist_teams are empty", { reason: "rule_allows_no_one" });
  await requirePattern(pattern);
  return deps.db.tx(async (tx) => {
    await requireFree(tx, repository, pattern);
    const id = await insertRule(tx, { repoId: repository.id, kind: "tag", pattern, priority: 0, settings: {} });
    await replaceLists(tx, id, [{ list: "tag", ...(await resolveList(tx, repository, list, fields)) }]);
    await recordEvent(tx, "tag_protection.created", eventOf(repository, pattern), { repoId: repository.id, by: actor });
    return getTagRule({ db: tx }, repository, id);
  });
}

/** @throws ForgeError `not_found`, `invalid` as {@link createTagRule} */
export async function editTagRule(deps: RuleDeps, actor: UserActor, repository: RepositorySubject, id: number, edit: TagRuleEdit): Promise<TagRuleView> {
  if (edit.pattern !== undefined) await requirePattern(edit.pattern);
  return deps.db.tx(async (tx) => {
    const rule = await requireRule(tx, repository, id);
    const pattern = edit.pattern ?? rule.pattern;
    if (pattern !== rule.pattern) await requireFree(tx, repository, pattern);
    await updateRule(tx, id, { pattern });
    await replaceLists(tx, id, [{ list: "tag", ...(await resolveList(tx, repository, edit.list, fields)) }]);
    await recordEvent(tx, "tag_protection.updated", eventOf(repository, pattern), { repoId: repository.id, by: actor });
    return getTagRule({ db: tx }, repository, id);
  });
}

/** @throws ForgeError `not_found` */
export async function deleteTagRule(deps: RuleDeps, actor: UserActor, repository: RepositorySubject, id: number): Promise<void> {
  await deps.db.tx(async (tx) => {
    const rule = await requireRule(tx, repository, id);
    await deleteRule(tx, id);
    await recordEvent(tx, "tag_protection.deleted", eventOf(repository, rule.pattern), { repoId: repository.id, by: actor });
  });
}

async function requirePattern(pattern: string): Promise<void> {
  checkLength("NamePattern", pattern, lengths.line);
  if (!isTagPattern(pattern))
    throw invalid(`"${pattern}" is not a valid tag pattern: use a glob such as v*, or an RE2 expression between slashes`, { reason: "invalid_pattern" });
}

async function requireFree(db: Reader, repository: RepositorySubject, pattern: string): Promise<void> {
  if ((await loadRules(db, repository.id)).tags.some((rule) => rule.pattern === pattern))
    throw invalid("Tag protection already exist", { reason: "rule_exists" });
}

const eventOf = ({ id, fullName }: RepositorySubject, pattern: string) => ({ repoId: id, repoName: fullName, pattern });
