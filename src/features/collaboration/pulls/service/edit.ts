import type { UserActor } from "../../../../access/actor.ts";
import { atLeast } from "../../../../access/repository.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { conflict, forbidden, invalid, notFound } from "../../../../core/errors.ts";
import type { Tx } from "../../../../db/db.ts";
import { isValidBranchName } from "../../../../git/objects/ref-names.ts";
import { branchPrefix } from "../../../repositories/refs/model.ts";
import { findRef } from "../../../repositories/refs/service/read.ts";
import { findRepositoryById } from "../../../repositories/repos/service/find.ts";
import { changeLabels } from "../../issues/planning/service/set-fields.ts";
import { canWriteIssue } from "../../issues/rights.ts";
import { changeIssue, type IssueChange } from "../../issues/service/change.ts";
import { applyEdit, type IssueEdit, requireEditable } from "../../issues/service/edit.ts";
import { replaceLabels } from "../../labels/exclusive.ts";
import { labelsByIds, resolveLabelsByIds } from "../../labels/service/resolve.ts";
import type { PullRow, PullView } from "../model.ts";
import { findOpenPull } from "../store/list.ts";
import { updatePull } from "../store/pulls.ts";
import { findPullRow } from "../store/rows.ts";
import type { PullDeps } from "./deps.ts";
import { findEnd } from "./ends.ts";
import { getPull } from "./find.ts";
import { moveHeadRef } from "./heads.ts";
import { changeTarget } from "./targets.ts";

/** Changes to a pull request; null leaves a field unchanged. */
export interface PullEdit extends IssueEdit {
  /** Replaces the labels, by id; ignored for callers who cannot write pull requests. */
  readonly labelIds: readonly number[] | null;
  /** Empty leaves the base unchanged. */
  readonly base: string;
  readonly allowsMaintainerEdit: boolean | null;
}

/**
 * Edits a pull request: all fields, or none.
 * @throws ForgeError as `editIssue`; `not_found` for an unknown base, `conflict` if the head is already open for that base, `stale` for a
 * merged pull request, `forbidden` for callers who allow maintainer edits of a head that they do not own
 */
export async function editPull(
  deps: PullDeps,
  actor: UserActor,
  repository: RepositorySubject,
  number: string,
  edit: PullEdit,
  signal?: AbortSignal,
): Promise<PullView> {
  await deps.db.tx(async (tx) => {
    const before = await requireEditable(tx, actor, repository, number);
    const pull = before.isPull ? await findPullRow(tx, before.id) : undefined;
    if (pull === undefined) throw notFound();
    const change = changeIssue(tx, actor.id, before);
    await applyEdit(change, actor, repository, edit);
    if (edit.labelIds !== null && canWriteIssue(repository, before)) await setLabels(change, repository, edit.labelIds);
    if (edit.base !== "") await retarget(change, pull, repository, edit.base);
    if (edit.allowsMaintainerEdit !== null && edit.allowsMaintainerEdit !== pull.allowsMaintainerEdit)
      await letMaintainersEdit(tx, actor, pull, edit.allowsMaintainerEdit);
    await change.finish();
    if (before.isClosed && edit.isClosed === false) await reopenHead(tx, pull, repository);
  });
  return getPull(deps, { actor, repository, signal }, number);
}

async function setLabels(change: IssueChange, repository: RepositorySubject, ids: readonly number[]): Promise<void> {
  const { tx, before } = change;
  const views = await labelsByIds(tx, before.labelIds);
  const present = before.labelIds.flatMap((id) => views.get(id) ?? []);
  const result = replaceLabels(present, await resolveLabelsByIds(tx, repository, ids));
  await changeLabels(change, { ...result, isCleared: result.labels.length === 0 });
}

async function retarget(change: IssueChange, pull: PullRow, repository: RepositorySubject, given: string): Promise<void> {
  const { tx, before } = change;
  const { branch: base } = await findEnd({ db: tx }, repository, given);
  if (base === pull.baseBranch) return;
  if (before.isClosed) throw invalid("the base of a closed pull request cannot be changed", { reason: "pull_closed" });
  const target = isValidBranchName(base) ? await findRef(tx, repository.codeStoreId, branchPrefix + base) : undefined;
  if (target === undefined) throw notFound(`new base '${base}' not exist`, { reason: "branch_not_found" });
  if (pull.headRepoId === pull.repoId && pull.headBranch === base)
    throw invalid("Invalid PullRequest: There are no changes between the head and the base", { reason: "no_changes" });
  if (pull.headRepoId !== null) {
    const other = await findOpenPull(tx, { ...pull, headRepoId: pull.headRepoId, baseBranch: base }, pull.flow);
    if (other !== undefined)
      throw conflict(`pull request already exists for these targets [id: ${other.id}, issue_id: ${other.issueId}]`, { reason: "pull_exists" });
  }
  await changeTarget(tx, change.actorId, { ...pull, issue: before }, base);
}

/** Lets maintainers push to the head branch, so it requires write access to the head's repository. */
async function letMaintainersEdit(tx: Tx, actor: UserActor, pull: PullRow, isAllowed: boolean): Promise<void> {
  const refusal = forbidden("SetAllowEdits: user not allowed to do this action");
  const head = pull.headRepoId === null ? undefined : await findRepositoryById({ db: tx }, pull.headRepoId, actor).catch(() => undefined);
  if (head === undefined || !atLeast(head.right.unit("repo.code"), "write")) throw refusal;
  await updatePull(tx, pull.id, { allows_maintainer_edit: isAllowed ? 1 : 0 });
}

/** The head was not tracked while the pull request was closed. */
export async function reopenHead(tx: Tx, pull: PullRow, repository: RepositorySubject): Promise<void> {
  if (pull.headRepoId !== null && pull.flow === "branch") {
    const open = await findOpenPull(tx, { ...pull, headRepoId: pull.headRepoId });
    if (open !== undefined && open.id !== pull.id)
      throw conflict(`another pull request for these branches is open [id: ${open.id}, issue_id: ${open.issueId}]`, { reason: "pull_exists" });
  }
  if (pull.headTipOid === null || pull.headTipOid === pull.headOid) return;
  await updatePull(tx, pull.id, { head_oid: pull.headTipOid });
  await moveHeadRef(tx, repository.codeStoreId, pull, pull.headTipOid);
}
