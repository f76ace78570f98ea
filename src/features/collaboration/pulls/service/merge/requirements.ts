import { atLeast } from "../../../../../access/repository.ts";
import type { RepositorySubject } from "../../../../../access/subjects.ts";
import type { Reader } from "../../../../../db/db.ts";
import { changedPaths } from "../../../../../git/history/changed-paths.ts";
import type { GitStore } from "../../../../../git/stores.ts";
import type { Oid } from "../../../../../git/types.ts";
import { findUnverified } from "../../../../accounts/keys/service/unverified.ts";
import { type BranchRule, fileMatcher } from "../../../../repositories/protections/rules.ts";
import { haveChecksPassed } from "../../../../repositories/statuses/service.ts";
import type { FoundPull, PullCheck } from "../../model.ts";
import type { PullDeps } from "../deps.ts";
import { type BuiltStyle, commitsOf, keptCommits } from "./build.ts";

/** Results of reading objects for the rule of a base branch, computed before the transaction of the merge. */
export interface MergeInputs {
  readonly ruleId: number | undefined;
  readonly changesProtectedFiles: boolean;
  /** The first commit entering the branch without a verified signature. */
  readonly unverifiedOid: Oid | undefined;
  /** Whether the server creates commits that must be signed. */
  readonly needsKey: boolean;
}

export interface LookedAt {
  readonly store: GitStore;
  readonly check: PullCheck;
  readonly style: BuiltStyle;
}

export async function loadMergeInputs(deps: PullDeps, rule: BranchRule | undefined, { store, check, style }: LookedAt): Promise<MergeInputs> {
  if (rule === undefined) return { ruleId: undefined, changesProtectedFiles: false, unverifiedOid: undefined, needsKey: false };
  const { settings } = rule;
  const isProtected = fileMatcher(settings.protectedFiles);
  const paths = isProtected === undefined ? [] : await changedPaths(store, check.mergeBaseOid ?? undefined, check.headOid);
  const kept = settings.requiresSignatures ? keptCommits(await commitsOf(store, check), check.baseOid, style) : [];
  const oids = kept.map(({ oid }) => oid);
  return {
    ruleId: rule.id,
    changesProtectedFiles: isProtected !== undefined && paths.some(isProtected),
    unverifiedOid: oids.length === 0 ? undefined : await findUnverified(deps, store, oids),
    needsKey: settings.requiresSignatures && style !== "fast-forward-only",
  };
}

/**
 * The first unmet requirement of the base branch's rule, as worded on the wire; undefined if all are met. At most two statements.
 * @param facts of a rule that has been replaced in the meantime do not count: the new requirements were not checked
 */
export async function unmetRequirement(
  deps: PullDeps,
  db: Reader,
  pull: FoundPull,
  rule: BranchRule | undefined,
  check: PullCheck,
  facts: MergeInputs,
): Promise<string | undefined> {
  if (rule === undefined) return undefined;
  const { settings } = rule;
  if (settings.hasStatusChecks && !(await haveChecksPassed(db, pull.repoId, pull.headOid, settings.statusContexts ?? []))) {
    return "Not all required status checks successful";
  }
  const objection = await deps.reviewing.objection(db, pull, rule);
  if (objection !== undefined) return objection;
  if (settings.blocksOnOutdated && check.mergeBaseOid !== check.baseOid) return "The head branch is behind the base branch";
  const asksObjects = settings.protectedFiles !== "" || settings.requiresSignatures;
  if (asksObjects && facts.ruleId !== rule.id) return "The protection of the base branch has changed meanwhile: try again";
  if (facts.changesProtectedFiles) return "Changed protected files";
  if (facts.needsKey && deps.commitSigner === undefined) return "wont sign: nokey";
  return facts.unverifiedOid === undefined ? undefined : `The commit ${facts.unverifiedOid} has no signature that can be verified`;
}

/** Whether a user can bypass a rule on request. */
export const mayForce = ({ right }: Pick<RepositorySubject, "right">, rule: BranchRule | undefined): boolean =>
  atLeast(right.mode, "admin") && rule?.settings.blocksAdminOverride !== true;
