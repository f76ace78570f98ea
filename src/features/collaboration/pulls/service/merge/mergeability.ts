import { isSelf, isUser } from "../../../../../access/actor.ts";
import { atLeast } from "../../../../../access/repository.ts";
import { getSettings } from "../../../../repositories/repos/service/settings.ts";
import type { RepositorySettings } from "../../../../repositories/repos/settings.ts";
import { isRule, type Mergeability, offeredStyles, unmet } from "../../mergeability.ts";
import type { PullCheck, PullView } from "../../model.ts";
import { findAutoMerge } from "../../store/auto-merges.ts";
import type { PullDeps, PullViewing } from "../deps.ts";
import { findPushableHead } from "../update.ts";
import { nameConflicts } from "./merge.ts";
import { loadMergeInputs } from "./merge-inputs.ts";
import { allowed, evaluateMergeRequirements, isAdministrator } from "./requirements.ts";

/** Mergeability of a pull request for one viewer, as `mergePull` decides it. A process if conflicts must be listed by file. */
export async function getMergeability(deps: PullDeps, viewing: PullViewing, view: PullView): Promise<Mergeability> {
  const { actor, repository, signal } = viewing;
  const settings = await getSettings(deps, repository.id);
  const styles = offeredStyles.filter((style) => allowed[style](settings));
  const defaultStyle = styles.find((style) => style === settings.defaultMergeStyle) ?? styles[0];
  const candidate = { actor, repository, pull: view, style: defaultStyle ?? "merge" };
  const inputs = await loadMergeInputs(deps, deps.db, candidate, { isComplete: true, settings, signal });
  const content = inputs.known?.content;
  const evaluated = evaluateMergeRequirements(inputs);
  const requirements = content === undefined ? evaluated : await nameConflicts(evaluated, content, signal);
  // The viewer can choose another style than one that needs a fast-forward.
  const missing = unmet(requirements).filter(({ code }) => code !== "right" && !(code === "fast-forward" && styles.length > 1));
  const waiting = view.isClosed ? undefined : await findAutoMerge(deps.db, view.id);
  return {
    state: view.merged !== null ? "merged" : view.isClosed ? "closed" : missing.length > 0 ? "blocked" : "ready",
    requirements,
    canMerge: requirements.some(({ code, isMet }) => code === "right" && isMet),
    canForce: isAdministrator(repository) && missing.every(({ override }) => override === "administrators"),
    canWait: missing.every(isRule),
    styles,
    defaultStyle,
    isWaiting: waiting !== undefined,
    canCancel: waiting !== undefined && isUser(actor) && (isSelf(actor, waiting.accountId) || isAdministrator(repository)),
    deletesBranch: deletableBranch(view, settings),
    updates:
      content === undefined || content.check.mergeBaseOid === null || content.check.isEmpty
        ? []
        : await listUpdates(deps, viewing, view, content.check, settings),
  };
}

/** How the viewer can update the head from its base, by the rules of `updateHead`. */
async function listUpdates(
  deps: PullDeps,
  { actor, repository }: PullViewing,
  view: PullView,
  check: PullCheck,
  settings: RepositorySettings,
): Promise<Mergeability["updates"]> {
  const isBehind = check.mergeBaseOid !== check.baseOid;
  if (!isUser(actor) || !isBehind || view.headTipOid === null) return [];
  if ((await findPushableHead(deps, actor, repository, view)) === undefined) return [];
  return settings.allowRebaseUpdate ? ["merge", "rebase"] : ["merge"];
}

/** The head branch, if the viewer can delete it with the merge. */
function deletableBranch(view: PullView, settings: RepositorySettings): Mergeability["deletesBranch"] {
  const head = view.headRepository;
  const isThere = view.flow === "branch" && view.headTipOid !== null && head !== undefined;
  const isAsMerged = view.merged === null || view.headTipOid === view.headOid;
  if (!isThere || !isAsMerged || head.isArchived || head.isMirror || view.headBranch === head.defaultBranch) return undefined;
  return atLeast(head.right.unit("repo.code"), "write") ? { branch: view.headBranch, byDefault: settings.defaultDeleteBranchAfterMerge } : undefined;
}
