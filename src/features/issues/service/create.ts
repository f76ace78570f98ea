import type { UserActor } from "../../../access/actor.ts";
import type { RepositorySubject } from "../../../access/subjects.ts";
import { notFound } from "../../../core/errors.ts";
import type { Db, Tx } from "../../../db/db.ts";
import { addLabels } from "../../labels/exclusive.ts";
import { resolveLabelsByIds } from "../../labels/service/resolve.ts";
import { countInMilestone, milestonesByIds } from "../../milestones/service.ts";
import { requireUnblocked } from "../../users/service/blocks.ts";
import { readsIssue, writesIssue } from "../rights.ts";
import { insertEntries, type NewEntry } from "../store/comments.ts";
import { takeNumber } from "../store/counters.ts";
import { insertAssignees, insertIssueLabels } from "../store/links.ts";
import { insertIssue } from "../store/rows.ts";
import { insertSearchText } from "../store/search.ts";
import type { IssueView } from "../view.ts";
import { requireAssignees } from "./assignable.ts";
import { recordIssueEvent } from "./change.ts";
import { getIssue } from "./find.ts";
import { noteReferences } from "./references.ts";
import { checkContent, checkTitle } from "./texts.ts";

export interface NewIssueInput {
  readonly title: string;
  readonly content: string;
  readonly ref: string;
  readonly isClosed: boolean;
  /** The plan: dropped for callers who do not write issues. */
  readonly plan: IssuePlan;
}

export interface IssuePlan {
  readonly labelIds: readonly number[];
  /** 0: none. */
  readonly milestoneId: number;
  readonly assignees: readonly string[];
  readonly deadlineMs: number | null;
}

const noPlan: IssuePlan = { labelIds: [], milestoneId: 0, assignees: [], deadlineMs: null };

/**
 * Opens an issue. Whoever reads issues may; only who writes them plans them too.
 * @throws ForgeError `not_found` where issues are switched off, `forbidden` for users whom the owner has blocked, `invalid`
 */
export async function createIssue(deps: { readonly db: Db }, actor: UserActor, repository: RepositorySubject, input: NewIssueInput): Promise<IssueView> {
  const kind = { isPull: false };
  if (!readsIssue(repository, kind)) throw notFound();
  checkTitle(input.title);
  checkContent(input.content);
  const plan = writesIssue(repository, kind) ? input.plan : noPlan;
  const number = await deps.db.tx(async (tx) => {
    await requireUnblocked({ db: tx }, actor, repository.ownerId);
    return insertPlanned(tx, actor, repository, { ...input, plan });
  });
  return getIssue(deps, repository, number);
}

async function insertPlanned(tx: Tx, actor: UserActor, repository: RepositorySubject, input: NewIssueInput): Promise<number> {
  const { plan, isClosed } = input;
  const repoId = repository.id;
  // @compat labels and milestones that are not there, or not here, are left out
  const labels = addLabels([], await resolveLabelsByIds(tx, repository, plan.labelIds)).labels;
  const milestone = plan.milestoneId === 0 ? undefined : (await milestonesByIds(tx, [plan.milestoneId])).get(plan.milestoneId);
  const milestoneId = milestone?.repoId === repoId ? milestone.id : null;
  const assigneeIds = await requireAssignees(tx, actor, repository, { isPull: false }, plan.assignees);

  const number = await takeNumber(tx, repoId, { isPull: false, isClosed });
  if (number === undefined) throw notFound();
  const { title, content, ref } = input;
  const row = { repoId, number, isPull: false, title };
  const id = await insertIssue(tx, { ...row, posterId: actor.id, content, ref, isClosed, milestoneId, deadlineMs: plan.deadlineMs });
  await insertSearchText(tx, "issue_texts", id, `${title}\n${content}`);
  const labelIds = labels.map((label) => label.id);
  await insertIssueLabels(tx, id, labelIds);
  await insertAssignees(tx, id, assigneeIds);
  if (milestoneId !== null) await countInMilestone(tx, milestoneId, isClosed ? { open: 0, closed: 1 } : { open: 1, closed: 0 });
  const entry = (kind: NewEntry["kind"], more: Partial<NewEntry> = {}): NewEntry => ({ issueId: id, repoId, kind, posterId: actor.id, ...more });
  await insertEntries(tx, [
    ...(milestoneId === null ? [] : [entry("milestone", { facts: { milestoneId } })]),
    ...labelIds.map((labelId) => entry("label", { content: "1", facts: { labelId } })),
    ...assigneeIds.map((assigneeId) => entry("assignees", { facts: { assigneeId } })),
    ...(isClosed ? [entry("close")] : []),
  ]);
  const issue = { ...row, id };
  const mentionedIds = await noteReferences(tx, actor, repository, { issue, commentId: null, text: `${title}\n\n${content}` });
  await recordIssueEvent(tx, actor.id, issue, "issue.created", { mentionedIds });
  for (const assigneeId of assigneeIds) await recordIssueEvent(tx, actor.id, issue, "issue.assigned", { assigneeId });
  if (isClosed) await recordIssueEvent(tx, actor.id, issue, "issue.closed", {});
  return number;
}
