import type { UserActor } from "../../../../access/actor.ts";
import { atLeast } from "../../../../access/repository.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { conflict, forbidden, invalid, notFound } from "../../../../core/errors.ts";
import type { Tx } from "../../../../db/db.ts";
import type { Oid } from "../../../../git/types.ts";
import { requireUnblockedByAll } from "../../../accounts/users/service/blocks.ts";
import { branchPrefix } from "../../../repositories/refs/model.ts";
import { moveStoreRefs } from "../../../repositories/refs/service/move.ts";
import { findRef } from "../../../repositories/refs/service/read.ts";
import { describeTip, type TipDetails } from "../../../repositories/refs/service/tips.ts";
import { getSettings } from "../../../repositories/repos/service/settings.ts";
import type { IssueRow } from "../../issues/model.ts";
import { canReadIssue, canWriteIssue } from "../../issues/rights.ts";
import { changeIssue } from "../../issues/service/change.ts";
import { type IssuePlan, insertPlanned, noPlan } from "../../issues/service/create.ts";
import { checkContent, checkTitle } from "../../issues/service/texts.ts";
import type { FoundPull, PullCheck, PullRow, PullView } from "../model.ts";
import type { RequestedReviewers } from "../reviewing.ts";
import { saveChecks } from "../store/checks.ts";
import { findOpenPull } from "../store/list.ts";
import { insertPull } from "../store/pulls.ts";
import { findPullRow } from "../store/rows.ts";
import { computeCheck, computeSize } from "./checks.ts";
import type { PullDeps } from "./deps.ts";
import { findEnd, findHead, isOpenToAll, type PullEnd, requireBranches } from "./ends.ts";
import { headRefOf, storeWithHead } from "./heads.ts";
import { loadPullViews } from "./loaders.ts";
import { namedCommits, pushText } from "./pushed-commits.ts";

export interface NewPullInput {
  readonly base: string;
  /** As accepted by {@link findHead}. */
  readonly head: string;
  readonly title: string;
  readonly content: string;
  /** Ignored for callers who cannot write pull requests. */
  readonly plan: IssuePlan;
  readonly reviewers: RequestedReviewers;
  /** Null: the repository's default. */
  readonly allowsMaintainerEdit: boolean | null;
}

/** The tips of both branches can move during the computation. */
const maxAttempts = 10;

/**
 * Creates a pull request. Computes everything that responses include first, then writes all of it in one transaction.
 * @throws ForgeError `not_found`, `invalid` and `malformed` for branches that cannot be merged, `conflict` if one is already open,
 * `forbidden` for callers who can neither write to the head's repository nor have been given access to the base, and for blocked users
 */
export async function createPull(
  deps: PullDeps,
  actor: UserActor,
  repository: RepositorySubject,
  input: NewPullInput,
  signal?: AbortSignal,
): Promise<PullView> {
  if (!canReadIssue(repository, { isPull: true }) || !atLeast(repository.right.unit("repo.code"), "read")) throw notFound();
  checkTitle(input.title);
  checkContent(input.content);
  const base = await findEnd(deps, repository, input.base);
  const head = await findHead(deps, actor, repository, input.head);
  if (head.repository.id === repository.id && head.branch === base.branch) {
    throw invalid("Invalid PullRequest: There are no changes between the head and the base", { reason: "no_changes" });
  }
  const allowsMaintainerEdit = input.allowsMaintainerEdit ?? (await getSettings(deps, repository.id)).defaultAllowMaintainerEdit;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const tips = await look(deps, base, head, signal);
    const made = await deps.db.tx((tx) => insertOpened(tx, deps, actor, { ...input, base, head, tips, flow: "branch", allowsMaintainerEdit }));
    if (made === undefined) continue;
    // The same transaction has requested reviews from code owners.
    const row = await findPullRow(deps.db, made.issueId);
    const [view] = row === undefined ? [] : await loadPullViews(deps, { actor, repository, signal }, [{ ...row, issue: made.issue }], { sizes: true });
    if (view === undefined) throw notFound();
    return view;
  }
  throw conflict("the branches change faster than a pull request can be opened: try again", { reason: "busy" });
}

/** State of the two branches before the transaction. */
export interface Tips {
  readonly baseOid: Oid;
  readonly headOid: Oid;
  readonly headDetails: TipDetails;
  readonly check: PullCheck;
  /** The commits that the head brings, the oldest first, as the timeline names them. */
  readonly commitOids: readonly Oid[];
}

async function look(deps: PullDeps, base: PullEnd, head: PullEnd, signal: AbortSignal | undefined): Promise<Tips> {
  const [baseOid, headOid] = await requireBranches(deps, base, head);
  const { codeStoreId: headStoreId, right } = head.repository;
  // The head becomes readable in the base, so this check precedes any copying.
  if (!atLeast(right.unit("repo.code"), "write") && !(await mayProposeUnwritten(deps, base.repository, head.repository))) {
    throw forbidden("user must be a collaborator");
  }
  return lookAt(deps, base.repository, { baseOid, headOid, headStoreId }, signal);
}

/**
 * Whether callers who can only read the head may propose it: those who were given read access to the base. A head in another repository
 * must be public, because every later commit on it becomes readable in the base.
 */
async function mayProposeUnwritten(deps: Pick<PullDeps, "db">, base: RepositorySubject, head: RepositorySubject): Promise<boolean> {
  if (!atLeast(base.right.granted("repo.code"), "read")) return false;
  return head.id === base.id || (await isOpenToAll(deps, head));
}

export async function lookAt(
  deps: PullDeps,
  repository: RepositorySubject,
  { baseOid, headOid, headStoreId }: { readonly baseOid: Oid; readonly headOid: Oid; readonly headStoreId: number },
  signal?: AbortSignal,
): Promise<Tips> {
  const store = await storeWithHead(deps, repository, { headStoreId, headOid }, signal);
  const headDetails = await describeTip(store, headOid);
  if (headDetails === undefined) throw notFound();
  const check = await computeCheck(store, baseOid, headOid, signal);
  const commitOids = check.mergeBaseOid === null ? [headOid] : await namedCommits(store, headOid, check.mergeBaseOid);
  return { baseOid, headOid, headDetails, check: { ...check, size: await computeSize(store, check, signal) }, commitOids };
}

export interface OpenedPull extends Omit<NewPullInput, "base" | "head" | "allowsMaintainerEdit"> {
  readonly base: PullEnd;
  readonly head: PullEnd;
  readonly tips: Tips;
  readonly flow: PullRow["flow"];
  readonly allowsMaintainerEdit: boolean;
}

/** Transaction that creates a pull request. @returns undefined if one of the branches has moved */
export async function insertOpened(tx: Tx, deps: Pick<PullDeps, "reviewing">, actor: UserActor, opened: OpenedPull): Promise<FoundPull | undefined> {
  const { base, head, tips, flow } = opened;
  const { repository } = base;
  await requireUnblockedByAll({ db: tx }, actor, [repository.ownerId, head.repository.ownerId]);
  // Later pushes to the head find the pull request; earlier pushes are detected here.
  if (flow === "branch" && (await findRef(tx, head.repository.codeStoreId, branchPrefix + head.branch))?.oid !== tips.headOid) return undefined;
  const ends = { repoId: repository.id, baseBranch: base.branch, headRepoId: head.repository.id, headBranch: head.branch };
  const known = await findOpenPull(tx, ends, flow);
  if (known !== undefined) throw alreadyOpen(known);
  const plan = canWriteIssue(repository, { isPull: true }) ? opened.plan : noPlan;
  const written = { title: opened.title, content: opened.content, ref: "", isClosed: false, isPull: true, plan };
  const issue = await insertPlanned(tx, actor, repository, written);
  if (tips.commitOids.length > 0) {
    const change = changeIssue(tx, actor.id, issue);
    change.note("pull_push", { content: pushText(tips.commitOids, false), payload: { commitOid: tips.headOid } });
    await change.finish();
  }
  const row = { ...ends, issueId: issue.id, headOid: tips.headOid, flow, allowsMaintainerEdit: opened.allowsMaintainerEdit };
  const id = await insertPull(tx, row);
  await saveChecks(tx, new Map([[id, tips.check]]));
  const headRef = { name: headRefOf(issue.number), oldOid: null, newOid: tips.headOid, ...tips.headDetails };
  await moveStoreRefs(tx, repository.codeStoreId, [headRef], "all");
  const { codeStoreId, objectFormat } = repository;
  const found = foundOf(issue, {
    ...row,
    id,
    codeStoreId,
    objectFormat,
    headStoreId: head.repository.codeStoreId,
    check: tips.check,
    baseTipOid: tips.baseOid,
    reviews: { requestedUserIds: [], requestedTeamIds: [], reviewerIds: [], participantIds: [], count: 0 },
  });
  const { users, teams } = opened.reviewers;
  if (users.length + teams.length > 0) await deps.reviewing.request(tx, actor, repository, found, opened.reviewers);
  return found;
}

type KnownPullDetails = Omit<PullRow, "number" | "isClosed" | "merged" | "headTipOid">;

const foundOf = (issue: IssueRow, details: KnownPullDetails): FoundPull => ({
  ...details,
  issue,
  number: issue.number,
  isClosed: false,
  merged: null,
  headTipOid: details.flow === "agit" ? null : details.headOid,
});

const alreadyOpen = ({ id, issueId, headRepoId, repoId, headBranch, baseBranch }: PullRow) =>
  conflict(
    `pull request already exists for these targets [id: ${id}, issue_id: ${issueId}, head_repo_id: ${headRepoId ?? 0}, base_repo_id: ${repoId}, head_branch: ${headBranch}, base_branch: ${baseBranch}]`,
    { reason: "pull_exists" },
  );
