import { isSelf, isUser } from "../../../../../access/actor.ts";
import { atLeast } from "../../../../../access/repository.ts";
import type { RepositorySubject } from "../../../../../access/subjects.ts";
import { openWorkbench } from "../../../../../git/merge/workbench.ts";
import type { BranchRule } from "../../../../repositories/protections/rules.ts";
import { branchRights } from "../../../../repositories/protections/service/guard.ts";
import { getSettings } from "../../../../repositories/repos/service/settings.ts";
import type { RepositorySettings } from "../../../../repositories/repos/settings.ts";
import { isDraftTitle } from "../../../issues/draft.ts";
import { type Mergeability, type OfferedStyle, offeredStyles } from "../../mergeability.ts";
import type { PullCheck, PullView } from "../../model.ts";
import { findAutoMerge } from "../../store/auto-merges.ts";
import { loadChecks } from "../checks.ts";
import type { PullDeps, PullViewing } from "../deps.ts";
import { findPull } from "../find.ts";
import { storeWithHead } from "../heads.ts";
import { findPushableHead } from "../update.ts";
import { allowed } from "./merge.ts";
import { loadMergeInputs, mayForce, unmetRequirement } from "./requirements.ts";

/**
 * Mergeability of a pull request for one viewer: the same checks as `mergePull`, without changes.
 * A process if conflicts must be listed by file; otherwise none if the check is stored.
 */
export async function getMergeability(deps: PullDeps, viewing: PullViewing, view: PullView): Promise<Mergeability> {
  const { actor, repository, signal } = viewing;
  const settings = await getSettings(deps, repository.id);
  const styles = offeredStyles.filter((style) => allowed[style](settings));
  const { rule, canMerge } = (await branchRights(deps.db, actor, repository))(view.baseBranch);
  const waiting = view.isClosed ? undefined : await findAutoMerge(deps.db, view.id);
  const common = {
    canMerge: canMerge && isUser(actor) && !repository.isArchived,
    styles,
    defaultStyle: styles.find((style) => style === settings.defaultMergeStyle) ?? styles[0],
    canForce: mayForce(repository, rule),
    isWaiting: waiting !== undefined,
    canCancel: waiting !== undefined && isUser(actor) && (isSelf(actor, waiting.accountId) || atLeast(repository.right.mode, "admin")),
    deletesBranch: deletableBranch(view, settings),
    conflicts: [],
    unmet: undefined,
    updates: [],
  };
  const check = view.isClosed ? undefined : (await loadChecks(deps, [view], { repository, sizes: false, signal })).get(view.id);
  if (check === undefined || check.isEmpty || isDraftTitle(view.issue.title)) return { ...common, state: plainState(view, check) };
  if (check.outcome === "unrelated") return { ...common, state: "unrelated" };
  const updates = await listUpdates(deps, viewing, view, check, settings);
  if (check.outcome === "conflict") return { ...common, updates, state: "conflict", conflicts: await listConflicts(deps, viewing, view, check) };
  const unmet = await lookForUnmet(deps, repository, view, { check, rule, style: common.defaultStyle ?? "merge" });
  return unmet === undefined ? { ...common, updates, state: "ready" } : { ...common, updates, state: "unmet", unmet };
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
  const found = await findPull(deps, repository, view.number);
  if ((await findPushableHead(deps, actor, repository, found)) === undefined) return [];
  return settings.allowRebaseUpdate ? ["merge", "rebase"] : ["merge"];
}

/** The state as far as it does not depend on rules. */
function plainState(view: PullView, check: PullCheck | undefined): Mergeability["state"] {
  if (view.merged !== null) return "merged";
  if (view.isClosed) return "closed";
  if (view.baseTipOid === null) return "base-gone";
  if (check === undefined) return "head-gone";
  return check.isEmpty ? "empty" : "draft";
}

/** The head branch, if the viewer can delete it with the merge. */
function deletableBranch(view: PullView, settings: RepositorySettings): Mergeability["deletesBranch"] {
  const head = view.headRepository;
  const isThere = view.flow === "branch" && view.headTipOid !== null && head !== undefined;
  const isAsMerged = view.merged === null || view.headTipOid === view.headOid;
  if (!isThere || !isAsMerged || head.isArchived || head.isMirror || view.headBranch === head.defaultBranch) return undefined;
  return atLeast(head.right.unit("repo.code"), "write") ? { branch: view.headBranch, byDefault: settings.defaultDeleteBranchAfterMerge } : undefined;
}

async function listConflicts(deps: PullDeps, { repository, signal }: PullViewing, view: PullView, check: PullCheck): Promise<readonly string[]> {
  const store = await storeWithHead(deps, repository, view, signal);
  await using bench = openWorkbench(store, signal);
  const merged = await bench.mergeCommits(check.baseOid, check.headOid);
  return merged.kind === "conflict" ? merged.paths : [];
}

interface Judged {
  readonly check: PullCheck;
  readonly rule: BranchRule | undefined;
  readonly style: OfferedStyle;
}

async function lookForUnmet(deps: PullDeps, repository: RepositorySubject, view: PullView, { check, rule, style }: Judged): Promise<string | undefined> {
  if (rule === undefined) return undefined;
  const store = await storeWithHead(deps, repository, view);
  const facts = await loadMergeInputs(deps, rule, { store, check, style });
  return unmetRequirement(deps, deps.db, view, rule, check, facts);
}
