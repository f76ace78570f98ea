import type { ProtectionList } from "../../../db/tables/protections.ts";
import { shortName } from "../refs/model.ts";
import type { RuleRefusal } from "../refs/moves.ts";
import { type BranchRule, fileMatcher, isPlain, ruleForBranch, type TagMatcher } from "./rules.ts";

/** The actor of a ref update. `server`: the server itself, for example the first commit of a new repository. */
export type Mover =
  | { readonly kind: "user"; readonly id: number; readonly isRepositoryAdmin: boolean }
  | { readonly kind: "deploy-key"; readonly deployKeyId: number }
  | { readonly kind: "server" };

/** `write`: a push, an edit, or creating or deleting a branch or tag. `merge`: of a pull request. `rename`: one branch is deleted as another is created. */
export type Purpose = "write" | "merge" | "rename";

/** Facts that require reading objects, loaded before the transaction; only those that a rule asks for are present. */
export interface MoveInputs {
  /** The old commit is not an ancestor of the new one. */
  readonly isForced?: boolean;
  /** Files that differ between the two commits. */
  readonly changedPaths?: readonly string[];
  /** Files changed by commits that no ref has reached yet; needed for locked files. */
  readonly committedPaths?: readonly string[];
  /** The first new commit without a verified signature; null if there is none. */
  readonly unverifiedOid?: string | null;
}

export interface CheckedMove {
  readonly name: string;
  readonly oldOid: string | null;
  readonly newOid: string | null;
}

/** The rules of a repository, and on which lists the actor is. */
export interface Protections {
  readonly branches: readonly BranchRule[];
  readonly tags: readonly TagMatcher[];
  isListed(ruleId: number, list: ProtectionList): boolean;
}

/** The inputs that the rule of a ref needs about an update. */
export interface Questions {
  readonly force: boolean;
  readonly paths: boolean;
  readonly signatures: boolean;
}

const branchOf = (name: string): string | undefined => (name.startsWith("refs/heads/") ? shortName(name) : undefined);
const tagOf = (name: string): string | undefined => (name.startsWith("refs/tags/") ? shortName(name) : undefined);

/** Determines the inputs needed to check an update. */
export function questionsOf(rules: readonly BranchRule[], { name, oldOid, newOid }: CheckedMove): Questions {
  const branch = branchOf(name);
  const rule = branch === undefined || newOid === null ? undefined : ruleForBranch(rules, branch);
  return {
    force: rule !== undefined && oldOid !== null,
    paths: rule !== undefined && (rule.settings.protectedFiles !== "" || rule.settings.unprotectedFiles !== ""),
    signatures: rule?.settings.requiresSignatures === true,
  };
}

/**
 * Checks a ref update against the rules. Each ref is checked on its own; write permission has been checked before.
 * @returns the refusal; undefined if the update is permitted
 */
export function checkMove(protections: Protections, mover: Mover, purpose: Purpose, move: CheckedMove, inputs: MoveInputs): RuleRefusal | undefined {
  if (mover.kind === "server") return undefined;
  const branch = branchOf(move.name);
  if (branch !== undefined) {
    const rule = ruleForBranch(protections.branches, branch);
    if (rule === undefined) return undefined;
    if (purpose === "rename") return checkRename(rule, mover);
    return purpose === "merge" ? checkMerge(protections, rule, branch, mover) : checkWrite(protections, rule, branch, mover, move, inputs);
  }
  const tag = tagOf(move.name);
  // Being listed in any matching rule is enough to create, move and delete the tag.
  const rules = tag === undefined ? [] : protections.tags.filter(({ matches }) => matches(tag));
  if (rules.length === 0) return undefined;
  return mover.kind === "user" && rules.some(({ id }) => protections.isListed(id, "tag"))
    ? undefined
    : { message: `Tag ${tag} is protected`, reason: "tag_protected" };
}

/** A rule for one name follows the branch. A glob does not: branches cannot be renamed out of it or into it. */
function checkRename(rule: BranchRule, mover: Mover): RuleRefusal | undefined {
  if (mover.kind !== "user" || !mover.isRepositoryAdmin)
    return { message: "User must be a repo or site admin to rename default or protected branches.", reason: "branch_protected" };
  return isPlain(rule) ? undefined : { message: "Branch is protected by glob-based protection rules.", reason: "branch_protected" };
}

export function mayMerge({ isListed }: Pick<Protections, "isListed">, { id, settings }: BranchRule): boolean {
  return !settings.hasMergeList || isListed(id, "merge");
}

function checkMerge(protections: Protections, rule: BranchRule, branch: string, mover: Mover): RuleRefusal | undefined {
  return mover.kind === "user" && mayMerge(protections, rule)
    ? undefined
    : { message: `Not allowed to merge into protected branch ${branch}`, reason: "merge_not_allowed" };
}

/** Whether a user can push to the branch of a rule, other conditions aside. */
export function mayPush({ isListed }: Pick<Protections, "isListed">, { id, settings }: BranchRule, isForced: boolean): boolean {
  if (isForced) return settings.canForcePush && (!settings.hasForcePushList || isListed(id, "force_push"));
  return settings.canPush && (!settings.hasPushList || isListed(id, "push"));
}

function checkWrite(protections: Protections, rule: BranchRule, branch: string, mover: Mover, move: CheckedMove, inputs: MoveInputs): RuleRefusal | undefined {
  const { settings } = rule;
  if (move.newOid === null) return { message: `branch ${branch} is protected from deletion`, reason: "branch_protected" };
  const questions = questionsOf(protections.branches, move);
  const isUnknown =
    (questions.force && inputs.isForced === undefined) ||
    (questions.paths && inputs.changedPaths === undefined) ||
    (questions.signatures && inputs.unverifiedOid === undefined);
  if (isUnknown) return { message: `the protection of branch ${branch} changed concurrently: try again`, reason: "busy" };

  const isForced = inputs.isForced === true;
  if (isForced && !settings.canForcePush) return { message: `branch ${branch} is protected from force push`, reason: "branch_protected" };
  if (settings.requiresSignatures && inputs.unverifiedOid !== null)
    return { message: `branch ${branch} is protected from unverified commit ${inputs.unverifiedOid}`, reason: "unsigned_commit" };
  const isProtected = fileMatcher(settings.protectedFiles);
  const protectedPath = isProtected && inputs.changedPaths?.find(isProtected);
  const isAllowed = mover.kind === "user" ? mayPush(protections, rule, isForced) : letsKeysPush(rule, isForced);
  if (isAllowed && protectedPath === undefined) return undefined;
  if (protectedPath !== undefined) return { message: `branch ${branch} is protected from changing file ${protectedPath}`, reason: "protected_files_changed" };
  const isUnprotected = fileMatcher(settings.unprotectedFiles);
  const changesOnlyUnprotected =
    !isForced && isUnprotected !== undefined && inputs.changedPaths !== undefined && inputs.changedPaths.length > 0 && inputs.changedPaths.every(isUnprotected);
  return changesOnlyUnprotected ? undefined : { message: `Not allowed to push to protected branch ${branch}`, reason: "push_not_allowed" };
}

const letsKeysPush = ({ settings }: BranchRule, isForced: boolean): boolean =>
  isForced
    ? settings.canForcePush && (!settings.hasForcePushList || settings.letsDeployKeysForcePush)
    : settings.canPush && (!settings.hasPushList || settings.letsDeployKeysPush);
