import { jobAccount } from "../../../../access/system-account.ts";
import type { Tx } from "../../../../db/db.ts";
import type { EventInTransaction, EventMap, EventType } from "../../../../events/events.ts";
import type { IssueChanges, IssueEvent } from "../../../../events/issue-events.ts";
import { defineJob, enqueue, enqueueAll } from "../../../../jobs/job.ts";
import { isDraftTitle } from "../../../collaboration/issues/draft.ts";
import type { RunRow } from "../model.ts";
import { listDeclared } from "../store/workflows.ts";
import { announceRun } from "./announce.ts";

/** An event that can start workflows, for the job that starts them. */
export interface EventTrigger {
  readonly eventId: number;
  readonly repoId: number;
  readonly actorId: number | null;
  readonly createdMs: number;
  readonly type: TriggerType;
  readonly event: unknown;
  /** Name of the trigger in workflow files. */
  readonly trigger: string;
  /** Its activity types, as in workflow files; none if the trigger has no types. */
  readonly activities: readonly string[];
  /** False: only workflows that the organization requires can start. */
  readonly hasWorkflows?: false;
  /** The organization requires workflows in the repository. */
  readonly requiresWorkflows?: true;
}

/** Starts the workflows that an event triggers. */
export const triggerJob = defineJob<EventTrigger>("actions.trigger", { maxAttempts: 100, maxRetryMs: 60_000 });

/** A step of a run, which can start other workflows by `workflow_run`. */
export interface RunTrigger {
  readonly runId: number;
  readonly repoId: number;
  readonly attempt: number;
  readonly activity: "requested" | "in_progress" | "completed";
}

/** Starts the workflows that another run triggers. */
export const runTriggerJob = defineJob<RunTrigger>("actions.run_trigger", { maxAttempts: 100, maxRetryMs: 60_000 });

/** Follows the workflows of the default branch after it was changed. */
export const followJob = defineJob<{ readonly repoId: number }>("actions.follow_default", { maxAttempts: 100, maxRetryMs: 60_000 });

type Draft = readonly [trigger: string, ...activities: string[]];
type Drafts = { readonly [Type in EventType]?: (payload: EventMap[Type]) => Draft };

/** Triggers whose workflows are in the head or the base of a pull request, not on the default branch. */
const pullTriggers: ReadonlySet<string> = new Set(["pull_request", "pull_request_review"]);
export const isPullTrigger = (trigger: string): boolean => pullTriggers.has(trigger);

const ofIssue =
  (...activities: string[]) =>
  ({ isPull }: Pick<IssueEvent, "isPull">): Draft => [isPull ? "pull_request" : "issues", ...activities];

const of =
  (...draft: Draft) =>
  (): Draft =>
    draft;

/** A draft is a pull request with a mark in its title. */
function ofEdit(payload: IssueEvent & IssueChanges): Draft {
  const { isPull, title, formerTitle } = payload;
  if (!isPull || formerTitle === undefined || isDraftTitle(title) === isDraftTitle(formerTitle)) return ofIssue("edited")(payload);
  return ["pull_request", "edited", isDraftTitle(title) ? "converted_to_draft" : "ready_for_review"];
}

/** Drafts of releases are hidden from users without write access, and start nothing. */
const ofRelease =
  (activity: string) =>
  ({ isDraft }: { readonly isDraft: boolean }): Draft => ["release", ...(isDraft ? [] : [activity])];

/** The trigger of each event and its activity types. One without types here has none in workflow files either. */
const drafts = {
  "issue.created": ofIssue("opened"),
  "issue.edited": ofEdit,
  "issue.closed": ofIssue("closed"),
  "issue.reopened": ofIssue("reopened"),
  "issue.deleted": ofIssue("deleted"),
  "issue.transferred": ofIssue("transferred"),
  "issue.received": ofIssue("opened"),
  "issue.assigned": ofIssue("assigned"),
  "issue.unassigned": ofIssue("unassigned"),
  "issue.labels_changed": ({ isPull, added, removed, isCleared }) =>
    ofIssue(...(added.length > 0 ? ["labeled"] : []), ...(removed.length > 0 || isCleared ? ["unlabeled"] : []))({ isPull }),
  "issue.milestone_changed": ({ isPull, milestoneId, formerMilestoneId }) =>
    ofIssue(...(milestoneId === null ? [] : ["milestoned"]), ...(formerMilestoneId === null ? [] : ["demilestoned"]))({ isPull }),
  "issue.locked": ofIssue("locked"),
  "issue.unlocked": ofIssue("unlocked"),
  "issue.pinned": ofIssue("pinned"),
  "issue.unpinned": ofIssue("unpinned"),
  "comment.created": of("issue_comment", "created"),
  "comment.edited": of("issue_comment", "edited"),
  "comment.deleted": of("issue_comment", "deleted"),
  "pull.merged": of("pull_request", "closed"),
  "pull.synchronized": of("pull_request", "synchronize"),
  "pull.retargeted": of("pull_request", "edited"),
  "pull.merge_scheduled": of("pull_request", "auto_merge_enabled"),
  "pull.merge_unscheduled": of("pull_request", "auto_merge_disabled"),
  "review.requested": of("pull_request", "review_requested"),
  "review.request_removed": of("pull_request", "review_request_removed"),
  "review.submitted": of("pull_request_review", "submitted"),
  "review.dismissed": of("pull_request_review", "dismissed"),
  "release.published": ({ isPrerelease }) => ["release", "published", isPrerelease ? "prereleased" : "released", "created"],
  "release.updated": ofRelease("edited"),
  "release.deleted": ofRelease("deleted"),
  "label.created": of("label", "created"),
  "label.updated": of("label", "edited"),
  "label.deleted": of("label", "deleted"),
  "milestone.created": of("milestone", "created"),
  "milestone.updated": of("milestone", "edited"),
  "milestone.closed": of("milestone", "closed"),
  "milestone.reopened": of("milestone", "opened"),
  "milestone.deleted": of("milestone", "deleted"),
  "repo.forked": of("fork"),
  "status.created": of("status"),
} as const satisfies Drafts;

export type TriggerType = keyof typeof drafts;
export const triggerTypes = Object.keys(drafts) as readonly TriggerType[];

const typed: ReadonlySet<string> = new Set(["issues", "issue_comment", "pull_request", "pull_request_review", "release", "label", "milestone"]);

function triggersOf({
  id,
  type,
  payload,
  repoId,
  actorId,
  createdMs,
  hasWorkflows,
  requiresWorkflows,
}: EventInTransaction<TriggerType>): readonly EventTrigger[] {
  // The workflows are those of the origin of a fork, whose event does not record whether it has any.
  const at = type === "repo.forked" ? (payload as EventMap["repo.forked"]).parentId : repoId;
  if (at === null || (!hasWorkflows && !requiresWorkflows && type !== "repo.forked")) return [];
  // Statuses that the server itself reports are results of runs, and a job that triggered others could start itself again.
  if ((type === "status.created" && actorId === null) || actorId === jobAccount.id) return [];
  const [trigger, ...activities] = (drafts[type] as (given: unknown) => Draft)(payload);
  if (typed.has(trigger) && activities.length === 0) return [];
  if (!hasWorkflows && trigger !== "pull_request" && type !== "repo.forked") return [];
  const isRequired = requiresWorkflows && trigger === "pull_request";
  const given = { eventId: id, repoId: at, actorId, createdMs, type, event: payload, trigger, activities };
  return [{ ...given, ...(!hasWorkflows && isRequired && { hasWorkflows: false }), ...(isRequired && { requiresWorkflows: true }) }];
}

/**
 * Remembers, in the transaction that records them, events that can start workflows. No statement if the repository has no workflows; one if
 * none of them has the trigger.
 */
export async function rememberTriggers(tx: Tx, events: readonly EventInTransaction<TriggerType>[]): Promise<void> {
  const found = events.flatMap(triggersOf);
  const elsewhere = found.filter(({ trigger }) => !isPullTrigger(trigger));
  const declared = await listDeclared(tx, [...new Set(elsewhere.map(({ repoId }) => repoId))]);
  const kept = found.filter(({ trigger, repoId }) => isPullTrigger(trigger) || declared.get(repoId)?.has(trigger) === true);
  await enqueueAll(
    tx,
    triggerJob,
    kept.map((payload) => ({ payload })),
  );
}

/** Runs that start each other end after this many. */
const maxDepth = 3;

/**
 * Remembers a step of a run, in its transaction, for webhooks and for workflows that wait for runs. Two statements, and more if there are any.
 */
export async function rememberRun(
  tx: Tx,
  { id: runId, repoId, attempt, depth }: Pick<RunRow, "id" | "repoId" | "attempt" | "depth">,
  activity: RunTrigger["activity"],
): Promise<void> {
  await announceRun(tx, { id: runId, repoId }, activity);
  if (depth >= maxDepth || (await listDeclared(tx, [repoId])).get(repoId)?.has("workflow_run") !== true) return;
  await enqueue(tx, runTriggerJob, { runId, repoId, attempt, activity });
}

/** Reads the workflows of a default branch that was imported. */
export const enqueueFollowDefault = (tx: Tx, repoId: number): Promise<void> => enqueue(tx, followJob, { repoId }, { dedupeKey: String(repoId) });

/** Follows the default branch when it becomes another one. */
export async function rememberDefault(tx: Tx, events: readonly EventInTransaction<"repo.updated">[]): Promise<void> {
  const moved = new Set(events.flatMap(({ payload }) => (payload.setsDefaultBranch === true ? [payload.repoId] : [])));
  await enqueueAll(
    tx,
    followJob,
    [...moved].map((repoId) => ({ payload: { repoId }, dedupeKey: String(repoId) })),
  );
}
