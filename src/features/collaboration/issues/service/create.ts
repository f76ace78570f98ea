import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { notFound } from "../../../../core/errors.ts";
import type { Db, Tx } from "../../../../db/db.ts";
import { requireUnblocked } from "../../../accounts/users/service/blocks.ts";
import { takeIssueNumber } from "../../../repositories/repos/service/counters.ts";
import { addLabels } from "../../labels/exclusive.ts";
import { resolveLabelsByIds } from "../../labels/service/resolve.ts";
import { countInMilestone, milestonesByIds } from "../../milestones/service.ts";
import { insertEntries, type NewEntry } from "../conversation/store/comments.ts";
import type { IssueRow, IssueView } from "../model.ts";
import { requireAssignees } from "../planning/service/assignable.ts";
import { insertAssignees, insertIssueLabels } from "../planning/store/links.ts";
import { noteReferences } from "../references/service/references.ts";
import { canReadIssue, canWriteIssue } from "../rights.ts";
import { insertSearchText } from "../search/store/search.ts";
import { insertIssue } from "../store/rows.ts";
import { recordIssueEvent } from "./change.ts";
import { loadIssueViews, onlyLocation } from "./loaders.ts";
import { checkContent, checkTitle } from "./texts.ts";

export interface NewIssueInput {
  readonly title: string;
  readonly content: string;
  readonly ref: string;
  readonly isClosed: boolean;
  /** Labels, assignees and other fields; ignored for callers who cannot write issues. */
  readonly plan: IssuePlan;
}

export interface IssuePlan {
  readonly labelIds: readonly number[];
  /** 0: none. */
  readonly milestoneId: number;
  readonly assignees: readonly string[];
  readonly deadlineMs: number | null;
  /** Keeps all labels of an exclusive scope, instead of the last one. */
  readonly sharesScopes?: boolean;
}

/** Initial values of a new issue. */
const untouched = {
  contentVersion: 0,
  isLocked: false,
  timeEstimateSeconds: 0,
  pinOrder: 0,
  commentsCount: 0,
  originalAuthor: "",
  originalAuthorId: 0,
  attachmentsCount: 0,
  mergedMs: null,
  closeReason: "",
} as const;

export const noPlan: IssuePlan = { labelIds: [], milestoneId: 0, assignees: [], deadlineMs: null };

/**
 * Creates an issue. Any reader of issues can; only writers can set labels, milestone, assignees and due date.
 * @throws ForgeError `not_found` if issues are disabled, `forbidden` for users blocked by the owner, `invalid`
 */
export async function createIssue(deps: { readonly db: Db }, actor: UserActor, repository: RepositorySubject, input: NewIssueInput): Promise<IssueView> {
  const kind = { isPull: false };
  if (!canReadIssue(repository, kind)) throw notFound();
  checkTitle(input.title);
  checkContent(input.content);
  const plan = canWriteIssue(repository, kind) ? input.plan : noPlan;
  return deps.db.tx(async (tx) => {
    await requireUnblocked({ db: tx }, actor, repository.ownerId);
    const row = await insertPlanned(tx, actor, repository, { ...input, plan, isPull: false });
    const [view] = await loadIssueViews({ db: tx }, [row], onlyLocation(repository));
    if (view === undefined) throw notFound();
    return view;
  });
}

/**
 * Inserts an issue or pull request with its labels, assignees and other fields, and records the events, in the caller's transaction.
 * @throws ForgeError `not_found` for a deleted repository, `invalid` for a user who cannot be assigned
 */
export async function insertPlanned(
  tx: Tx,
  actor: UserActor,
  repository: RepositorySubject,
  input: NewIssueInput & { readonly isPull: boolean },
): Promise<IssueRow> {
  const { plan, isClosed, isPull } = input;
  const repoId = repository.id;
  // @compat unknown labels and milestones, and those of other repositories, are ignored (issues/api/bad-input.test.ts)
  const wanted = await resolveLabelsByIds(tx, repository, plan.labelIds);
  const labels = plan.sharesScopes === true ? wanted : addLabels([], wanted).labels;
  const milestone = plan.milestoneId === 0 ? undefined : (await milestonesByIds(tx, [plan.milestoneId])).get(plan.milestoneId);
  const milestoneId = milestone?.repoId === repoId ? milestone.id : null;
  const assigneeIds = await requireAssignees(tx, actor, repository, { isPull }, plan.assignees);

  const number = await takeIssueNumber(tx, repoId, { isPull, isClosed });
  if (number === undefined) throw notFound();
  const { title, content, ref } = input;
  const row = { repoId, number, isPull, title, posterId: actor.id, content, ref, isClosed, milestoneId, deadlineMs: plan.deadlineMs };
  const id = await insertIssue(tx, row);
  await insertSearchText(tx, "issue_texts", id, `${title}\n${content}`);
  const labelIds = labels.map((label) => label.id);
  await insertIssueLabels(tx, id, labelIds);
  await insertAssignees(tx, id, assigneeIds);
  if (milestoneId !== null) await countInMilestone(tx, milestoneId, isClosed ? { open: 0, closed: 1 } : { open: 1, closed: 0 });
  const entry = (kind: NewEntry["kind"], more: Partial<NewEntry> = {}): NewEntry => ({ issueId: id, repoId, kind, posterId: actor.id, ...more });
  await insertEntries(tx, [
    ...(milestoneId === null ? [] : [entry("milestone", { payload: { milestoneId } })]),
    ...labelIds.map((labelId) => entry("label", { content: "1", payload: { labelId } })),
    ...assigneeIds.map((assigneeId) => entry("assignees", { payload: { assigneeId } })),
    ...(isClosed ? [entry("close")] : []),
  ]);
  const issue = { ...row, id };
  const mentionedIds = await noteReferences(tx, actor, repository, { issue, commentId: null, text: `${title}\n\n${content}` });
  await recordIssueEvent(tx, actor.id, issue, "issue.created", { mentionedIds });
  for (const assigneeId of assigneeIds) await recordIssueEvent(tx, actor.id, issue, "issue.assigned", { assigneeId });
  if (isClosed) await recordIssueEvent(tx, actor.id, issue, "issue.closed", {});
  const times = { createdMs: tx.nowMs, updatedMs: tx.nowMs, closedMs: isClosed ? tx.nowMs : null };
  return { ...untouched, ...row, ...times, id, labelIds, assigneeIds };
}
