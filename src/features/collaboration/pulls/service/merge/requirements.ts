import { atLeast } from "../../../../../access/repository.ts";
import type { RepositorySubject } from "../../../../../access/subjects.ts";
import { conflict, type ForgeError, locked, notFound, refused } from "../../../../../core/errors.ts";
import type { RepositorySettings } from "../../../../repositories/repos/settings.ts";
import { waiting } from "../../../issues/service/set-state.ts";
import { type Requirement, reasonsOfRequirements, unmet } from "../../mergeability.ts";
import type { PullCheck, PullRow } from "../../model.ts";
import { type BuiltStyle, listed } from "./build.ts";
import type { MergeContent, MergeInputs } from "./merge-inputs.ts";
import { type Condition, evaluatePreconditions, type MergeCandidate, requirement } from "./preconditions.ts";

/**
 * The requirements of a merge, in the order in which they are reported. The merge through API, page and auto-merge, the merge box and
 * `mergeable` all use this function or {@link evaluateContent}, which is a part of it.
 */
export function evaluateMergeRequirements(inputs: MergeInputs): readonly Requirement[] {
  const { known, candidate } = inputs;
  const first = evaluatePreconditions(inputs);
  if (known === undefined) return first;
  const { content, settings } = known;
  const { style, expectedHeadOid = "" } = candidate;
  const ofContent = evaluateContent(candidate.pull, content?.check);
  if (content === undefined) return [...first, ...ofContent];
  const { check } = content;
  return [
    ...first,
    ...ofContent,
    ...evaluateRule(inputs, known, content),
    ...(known.requiredRuns === undefined ? [] : [requiredRuns(known.requiredRuns)]),
    requirement({ code: "dependencies", isMet: !known.hasOpenDependencies, problem: waiting }),
    requirement({ code: "style", isMet: allowed[style](settings), problem: `${style} is not allowed an allowed merge style for this repository` }),
    requirement({ code: "seen-head", isMet: expectedHeadOid === "" || expectedHeadOid === candidate.pull.headOid, problem: "head out of date" }),
    requirement({
      code: "fast-forward",
      isMet: style !== "fast-forward-only" || check.mergeBaseOid === check.baseOid,
      problem: "the base branch has commits that the head lacks: it cannot be fast-forwarded",
    }),
  ];
}

/** Owners of the organization decide, so administrators of the repository cannot bypass it. */
const requiredRuns = ({ missing }: { readonly missing: readonly string[] }): Requirement =>
  requirement({ code: "required-workflows", isMet: missing.length === 0, items: missing, problem: "Not all required workflows have succeeded" });

/** @param check undefined if it cannot be computed, because the base branch or the commits of the head are gone */
export function evaluateContent(pull: Pick<PullRow, "baseBranch" | "baseTipOid">, check: PullCheck | undefined): readonly Requirement[] {
  const base = requirement({ code: "base", isMet: pull.baseTipOid !== null, problem: `the base branch ${pull.baseBranch} has been deleted` });
  if (check === undefined) {
    const head = requirement({ code: "head", isMet: pull.baseTipOid === null, problem: "the commits of the head are not available any more" });
    return [base, head];
  }
  return [
    base,
    requirement({ code: "changes", isMet: !check.isEmpty, problem: "the base branch already has all commits of the head" }),
    requirement({ code: "related", isMet: check.outcome !== "unrelated", problem: "the head and the base branch have unrelated histories" }),
    requirement({ code: "no-conflict", isMet: check.outcome !== "conflict", problem: "the head conflicts with the base branch" }),
  ];
}

/**
 * `mergeable` of the API: the content can be merged.
 * @compat whatever its rules are, also without changes, and of a merged pull request (requirements.test.ts, pulls/api/merges.test.ts)
 */
export const isMergeable = (pull: Pick<PullRow, "merged" | "baseBranch" | "baseTipOid">, check: PullCheck | undefined): boolean =>
  pull.merged !== null || evaluateContent(pull, check).every(({ code, isMet }) => isMet || code === "changes");

/** Requirements of the base branch's rule; none without a rule. Settings that are off add none. */
function evaluateRule({ right: { rule } }: MergeInputs, known: NonNullable<MergeInputs["known"]>, { check, ruleInputs }: MergeContent): readonly Requirement[] {
  if (rule === undefined) return [];
  const { settings } = rule;
  const { checks, reviews } = known;
  const override = settings.blocksAdminOverride ? "none" : "administrators";
  const conditions: (Condition | false)[] = [
    checks !== undefined && {
      code: "status-checks",
      isMet: checks.havePassed,
      items: checks.missing,
      unreported: checks.unreported,
      problem: "Not all required status checks successful",
    },
    settings.requiredApprovals > 0 && {
      code: "approvals",
      isMet: reviews.approvals >= settings.requiredApprovals,
      count: { given: reviews.approvals, required: settings.requiredApprovals },
      uncounted: reviews.uncounted,
      problem: "Does not have enough approvals",
    },
    settings.blocksOnRejection && { code: "rejections", isMet: !reviews.isRejected, problem: "There are requested changes" },
    settings.blocksOnReviewRequests && { code: "review-requests", isMet: !reviews.isAwaited, problem: "There are official review requests" },
    settings.blocksOnOutdated && { code: "up-to-date", isMet: check.mergeBaseOid === check.baseOid, problem: "The head branch is behind the base branch" },
  ];
  const asksObjects = settings.protectedFiles !== "" || settings.requiresSignatures;
  if (asksObjects && ruleInputs !== undefined && ruleInputs.ruleId !== rule.id) {
    // The objects were read for a rule that has been replaced in the meantime.
    conditions.push({ code: "same-rule", isMet: false, problem: "The protection of the base branch has changed meanwhile: try again" });
  } else if (asksObjects && ruleInputs !== undefined) {
    conditions.push(
      settings.protectedFiles !== "" && {
        code: "protected-files",
        isMet: ruleInputs.protectedPaths.length === 0,
        items: ruleInputs.protectedPaths,
        problem: "Changed protected files",
      },
      settings.requiresSignatures && { code: "signing-key", isMet: !ruleInputs.needsKey || known.canSign, problem: "wont sign: nokey" },
      settings.requiresSignatures && {
        code: "signatures",
        isMet: ruleInputs.unverifiedOid === undefined,
        items: ruleInputs.unverifiedOid === undefined ? [] : [ruleInputs.unverifiedOid],
        problem: `The commit ${ruleInputs.unverifiedOid} has no signature that can be verified`,
      },
    );
  }
  return conditions.flatMap((condition) => (condition === false ? [] : requirement({ ...condition, override })));
}

/** The error of a merge with an unmet requirement. */
export function refusalOf({ code, problem, items }: Requirement): ForgeError {
  const reason = reasonsOfRequirements[code];
  switch (code) {
    case "unarchived":
      return locked(problem, { reason });
    case "open":
      return notFound();
    case "seen-head":
    case "fast-forward":
      return conflict(problem, { reason });
    case "no-conflict":
      return refused(`${problem}${listed(items)}`, { reason });
    default:
      return refused(problem, { reason, meta: { requirement: code } });
  }
}

/** The first unmet requirement as an error. */
export function requireAll(requirements: readonly Requirement[]): void {
  const [first] = unmet(requirements);
  if (first !== undefined) throw refusalOf(first);
}

/** Whether a caller can bypass requirements that administrators can override. */
export const isAdministrator = ({ right }: Pick<RepositorySubject, "right">): boolean => atLeast(right.mode, "admin");

/** The requirements that a caller cannot bypass; all if they do not ask for it. */
export const binding = (requirements: readonly Requirement[], { repository }: Pick<MergeCandidate, "repository">, isForced: boolean): readonly Requirement[] =>
  isForced && isAdministrator(repository) ? requirements.filter(({ override }) => override !== "administrators") : requirements;

/** Whether a repository allows a merge style. */
export const allowed: Readonly<Record<BuiltStyle, (settings: RepositorySettings) => boolean>> = {
  merge: (settings) => settings.allowMergeCommits,
  rebase: (settings) => settings.allowRebase,
  "rebase-merge": (settings) => settings.allowRebaseExplicit,
  squash: (settings) => settings.allowSquashMerge,
  "fast-forward-only": (settings) => settings.allowFastForwardOnlyMerge,
};
