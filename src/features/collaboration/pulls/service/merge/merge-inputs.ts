import type { Reader } from "../../../../../db/db.ts";
import { changedPaths } from "../../../../../git/history/changed-paths.ts";
import type { GitStore } from "../../../../../git/stores.ts";
import type { Oid } from "../../../../../git/types.ts";
import { findUnverified } from "../../../../accounts/keys/service/unverified.ts";
import { type BranchRule, fileMatcher } from "../../../../repositories/protections/rules.ts";
import { type BranchRights, branchRights } from "../../../../repositories/protections/service/guard.ts";
import { getSettings } from "../../../../repositories/repos/service/settings.ts";
import type { RepositorySettings } from "../../../../repositories/repos/settings.ts";
import { checkStatuses, type RequiredChecks } from "../../../../repositories/statuses/service.ts";
import { waitsForOthers } from "../../../issues/service/set-state.ts";
import { unmet } from "../../mergeability.ts";
import type { PullCheck } from "../../model.ts";
import type { ReviewState } from "../../reviewing.ts";
import { findRequiredRuns } from "../../store/required-runs.ts";
import { withCheck } from "../checks.ts";
import type { PullDeps } from "../deps.ts";
import { type BuiltStyle, commitsOf, keptCommits } from "./build.ts";
import { evaluatePreconditions, type MergeCandidate, type MergePreconditions } from "./preconditions.ts";

/** Facts from objects for the rule of a base branch. They do not change, so the transaction of a merge uses those loaded before it. */
export interface RuleInputs {
  readonly ruleId: number | undefined;
  /** Changed files that the rule protects. */
  readonly protectedPaths: readonly string[];
  /** The first commit entering the branch without a verified signature. */
  readonly unverifiedOid: Oid | undefined;
  /** Whether the server creates commits that must be signed. */
  readonly needsKey: boolean;
}

/** Data that is read from git before the transaction of a merge. */
export interface MergeContent {
  readonly store: GitStore;
  readonly check: PullCheck;
  /** Undefined if the check prevents the merge. */
  readonly ruleInputs: RuleInputs | undefined;
}

/** Everything that the requirements of a merge depend on. */
export interface MergeInputs extends MergePreconditions {
  readonly candidate: MergeCandidate;
  /** The rights of the viewer on all branches, loaded once for this phase of the merge. */
  readonly rights: BranchRights;
  /** Undefined if a precondition is not met and nothing more was loaded. */
  readonly known:
    | {
        /** Undefined if the base branch or the commits of the head are gone. */
        readonly content: MergeContent | undefined;
        readonly settings: RepositorySettings;
        readonly checks: RequiredChecks | undefined;
        /** The workflows that the organization requires; undefined: none. */
        readonly requiredRuns: { readonly missing: readonly string[] } | undefined;
        readonly reviews: ReviewState;
        readonly hasOpenDependencies: boolean;
        readonly canSign: boolean;
      }
    | undefined;
}

export interface LoadOptions {
  /** Content loaded by an earlier phase. */
  readonly content?: MergeContent;
  /** Loads everything of an open pull request, although a precondition is not met. */
  readonly isComplete?: boolean;
  /** Settings loaded by the caller in this phase. */
  readonly settings?: RepositorySettings;
  readonly signal?: AbortSignal | undefined;
}

const noReviews: ReviewState = { approvals: 0, uncounted: [], isRejected: false, isAwaited: false };

/**
 * Loads the inputs of {@link evaluateMergeRequirements}, once for each phase: before the commits of a merge are built, and in its
 * transaction. At most thirteen statements, without the content; a process only for a check that is not stored, or for a rule about
 * files or signatures.
 * @param db the transaction, with the content of the first phase; otherwise `deps.db`
 */
export async function loadMergeInputs(deps: PullDeps, db: Reader, candidate: MergeCandidate, options: LoadOptions = {}): Promise<MergeInputs> {
  const { actor, repository, pull } = candidate;
  const rights = await branchRights(db, actor, repository);
  const right = rights.on(pull.baseBranch);
  const base = { candidate, rights, right };
  const isHindered = options.isComplete === true ? pull.isClosed : unmet(evaluatePreconditions(base)).length > 0;
  if (isHindered) return { ...base, known: undefined };
  const { rule } = right;
  const content = options.content ?? (await loadContent(deps, candidate, rule, options.signal));
  return {
    ...base,
    known: {
      content,
      settings: options.settings ?? (await getSettings({ db }, repository.id)),
      checks: rule?.settings.hasStatusChecks === true ? await checkStatuses(db, pull.repoId, pull.headOid, rule.settings.statusContexts ?? []) : undefined,
      requiredRuns:
        repository.ownerKind === "organization"
          ? await findRequiredRuns(db, { repoId: pull.repoId, ownerId: repository.ownerId, number: pull.number, headOid: pull.headOid })
          : undefined,
      reviews: rule === undefined ? noReviews : await deps.reviewing.loadState(db, pull, rule, { listsUncounted: options.isComplete === true }),
      hasOpenDependencies: await waitsForOthers(db, pull.issueId),
      canSign: deps.commitSigner !== undefined,
    },
  };
}

/** @returns undefined if the base branch or the commits of the head are gone */
const loadContent = (
  deps: PullDeps,
  { repository, pull, style }: MergeCandidate,
  rule: BranchRule | undefined,
  signal: AbortSignal | undefined,
): Promise<MergeContent | undefined> =>
  withCheck(
    deps,
    repository,
    pull,
    async (store, check) => {
      const isMergeable = check.outcome === "clean" && !check.isEmpty;
      return { store, check, ruleInputs: isMergeable ? await loadRuleInputs(deps, rule, store, check, style) : undefined };
    },
    signal,
  );

async function loadRuleInputs(deps: PullDeps, rule: BranchRule | undefined, store: GitStore, check: PullCheck, style: BuiltStyle): Promise<RuleInputs> {
  if (rule === undefined) return { ruleId: undefined, protectedPaths: [], unverifiedOid: undefined, needsKey: false };
  const { id, settings } = rule;
  const isProtected = fileMatcher(settings.protectedFiles);
  const paths = isProtected === undefined ? [] : await changedPaths(store, check.mergeBaseOid ?? undefined, check.headOid);
  const kept = settings.requiresSignatures ? keptCommits(await commitsOf(store, check), check.baseOid, style) : [];
  const oids = kept.map(({ oid }) => oid);
  return {
    ruleId: id,
    protectedPaths: isProtected === undefined ? [] : paths.filter(isProtected),
    unverifiedOid: oids.length === 0 ? undefined : await findUnverified(deps, store, oids),
    needsKey: settings.requiresSignatures && style !== "fast-forward-only",
  };
}
