import type { EventMap, EventType, RefUpdateEvent } from "../../../../events/events.ts";
import type { LabelEvent, MilestoneEvent } from "../../../../events/planning-events.ts";
import { presentLabel } from "../../../collaboration/labels/present.ts";
import { labelsByIds } from "../../../collaboration/labels/service/resolve.ts";
import { presentMilestone } from "../../../collaboration/milestones/present.ts";
import { milestonesByIds } from "../../../collaboration/milestones/service.ts";
import { composeWith } from "../../../integrations/hooks/payloads/compose.ts";
import { loadPayloadContext, type PayloadDeps } from "../../../integrations/hooks/payloads/payload-context.ts";
import type { RunRow } from "../model.ts";
import { presentRun } from "../present.ts";
import type { EventTrigger, TriggerType } from "../service/triggers.ts";
import { composeWorkflowEvent } from "./hook-payloads.ts";

/** An event whose payload is composed as that of a webhook. */
interface Composed {
  readonly eventId: number;
  readonly repoId: number;
  readonly actorId: number | null;
  readonly createdMs: number;
  readonly type: EventType;
  readonly eventPayload: unknown;
  /** The event of the webhook, if the type covers several. */
  readonly event?: string;
  readonly eventType?: string;
  readonly subject?: string;
}

const compose = (deps: PayloadDeps, { event = "", eventType = event, subject = "", ...given }: Composed): Promise<object | undefined> =>
  composeWith({ ...deps, composeWorkflowEvent: (event, context) => composeWorkflowEvent(deps, event, context) })({
    ...given,
    id: 0,
    attempts: 0,
    event,
    eventType,
    subject,
  });

type Move = EventMap["refs.changed"] & { readonly updates: readonly RefUpdateEvent[] };
type PushedEvent = Pick<Composed, "eventId" | "repoId" | "actorId" | "createdMs">;

/** The payload of `push`, `create` or `delete` for one of the moved refs. */
export async function refPayload(deps: PayloadDeps, at: PushedEvent, change: Move, trigger: "push" | "create" | "delete", ref: string): Promise<object> {
  const update = change.updates.find(({ name }) => name === ref);
  const composed = (await compose(deps, { ...at, type: "refs.changed", eventPayload: change, event: trigger, subject: ref })) ?? {};
  return trigger === "push" ? { ...composed, created: update?.oldOid === null, deleted: false } : composed;
}

export async function schedulePayload(deps: PayloadDeps, repoId: number, actorId: number | null, cron: string): Promise<object> {
  return { schedule: cron, ...(await commonPayload(deps, repoId, actorId)) };
}

export async function runPayload(deps: PayloadDeps, run: RunRow, activity: string): Promise<object> {
  const context = await loadPayloadContext(deps, run);
  if (context === undefined) return {};
  const { fullName, view, repository, sender } = context;
  const presented = presentRun(run, { fullName, defaultBranch: view.defaultBranch, urls: deps.urls }, { actor: sender, repository });
  const { workflowName: name, workflowPath: path, headRef } = run;
  return {
    action: activity,
    workflow: { name, path },
    workflow_run: { ...presented, name, head_branch: headRef || presented.head_branch, run_attempt: run.attempt },
    repository,
    sender,
  };
}

/** The parts of every payload. */
export async function commonPayload(deps: PayloadDeps, repoId: number, actorId: number | null): Promise<object> {
  const context = await loadPayloadContext(deps, { repoId, actorId });
  return context === undefined ? {} : { repository: context.repository, sender: context.sender };
}

/** Events without a webhook, by one with the same fields. */
const composedAs: Partial<Record<TriggerType, EventType>> = {
  "issue.locked": "issue.reopened",
  "issue.unlocked": "issue.reopened",
  "issue.pinned": "issue.reopened",
  "issue.unpinned": "issue.reopened",
  "pull.merge_scheduled": "pull.synchronized",
  "pull.merge_unscheduled": "pull.synchronized",
  "review.dismissed": "review.submitted",
};

/**
 * The payload of an event: that of the webhook, with the activity type as its action, and the fields of GitHub that workflows often read.
 * @returns undefined if the subject has been deleted
 */
export async function eventPayload(deps: PayloadDeps, trigger: EventTrigger, activity: string | undefined): Promise<object | undefined> {
  const action = activity === undefined ? {} : { action: activity };
  if (trigger.trigger === "label") return planningPayload(deps, trigger, { ...action, label: await labelOf(deps, trigger) });
  if (trigger.trigger === "milestone") return planningPayload(deps, trigger, { ...action, milestone: await milestoneOf(deps, trigger) });
  const review = trigger.trigger === "pull_request_review" ? (trigger.event as EventMap["review.submitted"]) : undefined;
  const { eventId, repoId, actorId, createdMs } = trigger;
  const composed = await compose(deps, {
    eventId,
    repoId,
    actorId,
    createdMs,
    type: composedAs[trigger.type] ?? trigger.type,
    eventPayload: trigger.event,
    ...(review && { event: "pull_request_review", eventType: `pull_request_review_${reviewNames[review.kind]}` }),
  });
  return composed && { ...composed, ...action, ...changedLabel(trigger), ...(review && { review: presentReview(composed, review, trigger.type) }) };
}

const reviewNames = { approve: "approved", reject: "rejected", comment: "comment" } as const;
const reviewStates = { approve: "approved", reject: "changes_requested", comment: "commented" } as const;

const presentReview = (composed: object, { reviewId, kind, content }: EventMap["review.submitted"], type: TriggerType): object => ({
  ...("review" in composed && (composed.review as object)),
  id: reviewId,
  state: type === "review.dismissed" ? "dismissed" : reviewStates[kind],
  body: content ?? "",
  ...("sender" in composed && { user: composed.sender }),
});

/** The first label that was added, or otherwise removed. */
function changedLabel({ type, event }: EventTrigger): object {
  if (type !== "issue.labels_changed") return {};
  const { added, removed } = event as EventMap["issue.labels_changed"];
  const [label] = [...added, ...removed];
  return label === undefined ? {} : { label: { id: label.labelId, name: label.name } };
}

const planningPayload = async (deps: PayloadDeps, { repoId, actorId }: EventTrigger, fields: object): Promise<object> => ({
  ...fields,
  ...(await commonPayload(deps, repoId, actorId)),
});

/** A deleted label has its last name. */
async function labelOf(deps: PayloadDeps, { event, repoId, actorId }: EventTrigger): Promise<object> {
  const { labelId, name, color } = event as LabelEvent;
  const label = (await labelsByIds(deps.db, [labelId])).get(labelId);
  const context = label && (await loadPayloadContext(deps, { repoId, actorId }));
  return context === undefined || label === undefined
    ? { id: labelId, name, color }
    : presentLabel(label, { ownerName: context.view.owner.name, name: context.view.name }, deps.urls);
}

/** A deleted milestone has its last title. */
async function milestoneOf(deps: PayloadDeps, { event }: EventTrigger): Promise<object> {
  const { milestoneId, title } = event as MilestoneEvent;
  const milestone = (await milestonesByIds(deps.db, [milestoneId])).get(milestoneId);
  return milestone === undefined ? { id: milestoneId, title } : presentMilestone(milestone);
}
