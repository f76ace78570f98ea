import { type RawBuilder, sql } from "kysely";
import type { UserActor } from "../access/actor.ts";
import { compiled, type Slots } from "../db/compiled.ts";
import type { Tx } from "../db/db.ts";
import type { AccessEvents, AccessEventType, RepoEvent } from "./access-events.ts";
import type { AttachmentEvents } from "./attachment-events.ts";
import type { HookEvents } from "./hook-events.ts";
import type { IssueEvents } from "./issue-events.ts";
import type { LfsEvents } from "./lfs-events.ts";
import type { MirrorEvents } from "./mirror-events.ts";
import type { OperationEvents } from "./operation-events.ts";
import type { PlanningEvents } from "./planning-events.ts";
import type { PullEvents } from "./pull-events.ts";
import type { ReleaseEvents } from "./release-events.ts";
import type { ReviewEvents } from "./review-events.ts";
import type { WikiEvents } from "./wiki-events.ts";
import type { WorkflowEvents } from "./workflow-events.ts";

/**
 * All event types. Payloads contain ids and the names at that time, never secrets, and are stored as JSON.
 * Changes of access are defined in {@link AccessEvents}, which the audit log keeps.
 */
export interface EventMap
  extends AccessEvents,
    AttachmentEvents,
    HookEvents,
    PlanningEvents,
    IssueEvents,
    LfsEvents,
    ReleaseEvents,
    PullEvents,
    ReviewEvents,
    MirrorEvents,
    OperationEvents,
    WikiEvents,
    WorkflowEvents {
  /** Created as a fork; `repo.created` is recorded too. */
  "repo.forked": RepoEvent & { readonly parentId: number };
  /** Created from a template; `repo.created` is recorded too. `items` are the requested items, by their wire names. */
  "repo.generated": RepoEvent & { readonly templateId: number; readonly items: readonly string[] };
  "repo.updated": RepoEvent & { readonly setsDefaultBranch?: true };
  "repo.starred": RepoEvent;
  "repo.unstarred": RepoEvent;
  "repo.watched": RepoEvent;
  "repo.unwatched": RepoEvent;
  "account.followed": FollowEvent;
  "account.unfollowed": FollowEvent;
  "refs.changed": RefsChanged;
  "status.created": StatusEvent;
}

/** A commit status. */
export interface StatusEvent {
  readonly repoId: number;
  readonly statusId: number;
  /** Numbered from 1 for each commit. */
  readonly number: number;
  readonly oid: string;
  readonly context: string;
  readonly state: string;
  readonly description: string;
  readonly targetUrl: string;
}

/** The follower is the event's actor. */
export interface FollowEvent {
  readonly accountId: number;
  readonly name: string;
}

/** The ref updates of one transaction in a store. */
export interface RefsChanged {
  readonly storeId: number;
  readonly repoId: number;
  /** The first updates only, so that a push of thousands of refs does not make a huge event. */
  readonly updates: readonly RefUpdateEvent[];
  /** Total number of updated refs. */
  readonly total: number;
  readonly pushOptions?: readonly string[];
  /** Origin of the change. */
  readonly via: "push" | "api" | "server";
  /** The repository has push mirrors that follow every change. */
  readonly isMirrored?: true;
  /** The repository has pull requests from or into it, which the moved branches may affect. */
  readonly touchesPulls?: true;
  /** The default branch of the repository contained workflows before. */
  readonly hasWorkflows?: true;
  /** Its organization requires workflows in it. */
  readonly requiresWorkflows?: true;
  /** The push brought no objects: the new targets were already in the store. */
  readonly bringsNothing?: true;
  /** Deploy key of the push: the event has no actor then. */
  readonly deployKeyId?: number;
}

export interface RefUpdateEvent {
  readonly name: string;
  /** Null: the ref was created. */
  readonly oldOid: string | null;
  /** Null: the ref was deleted. */
  readonly newOid: string | null;
}

export type EventType = keyof EventMap;

/**
 * Events delivered to listeners after the commit. All others exist for handlers in the transaction and for readers of the table, and count
 * as delivered.
 */
export const dispatchedTypes = [
  "branch_protection.deleted",
  "branch_protection.updated",
  "email.added",
  "issue.created",
  "issue.edited",
  "pull.merge_scheduled",
  "pull.retargeted",
  "pull.synchronized",
  "refs.changed",
  "review.deleted",
  "review.dismissed",
  "review.request_removed",
  "review.submitted",
  "status.created",
] as const satisfies readonly EventType[];
export type DispatchedType = (typeof dispatchedTypes)[number];

const dispatched: ReadonlySet<EventType> = new Set(dispatchedTypes);
export const isDispatched = (type: EventType): type is DispatchedType => dispatched.has(type);

/** An event as delivered to listeners. Ids never repeat, so a listener that must act only once can deduplicate by id. */
export interface RecordedEvent<Type extends EventType = EventType> {
  readonly id: number;
  readonly type: Type;
  readonly payload: EventMap[Type];
  readonly repoId: number | null;
  readonly actorId: number | null;
  readonly createdMs: number;
}

/** An event inside its transaction, with its author and how they authenticated. Null: the server itself; absent: unknown. */
export type EventInTransaction<Type extends EventType = EventType> = RecordedEvent<Type> & {
  readonly by?: Author | null;
  /** False: its repository has no webhooks. */
  readonly hasHooks: boolean;
  /** False: the default branch of its repository contains no workflows. */
  readonly hasWorkflows: boolean;
  /** False: its organization requires no workflows in it. */
  readonly requiresWorkflows: boolean;
};

/** A user who makes a change, with their credential and remote address. */
export type Author = Pick<UserActor, "id" | "name" | "credential" | "address" | "impersonator">;

export interface EventContext {
  readonly repoId?: number | undefined;
  readonly actorId?: number | null | undefined;
}

/** Context of a change of access: its author; null for changes by the server itself. */
export interface AccessContext {
  readonly repoId?: number | undefined;
  readonly by: Author | null;
}

type ContextOf<Type extends EventType> = Type extends AccessEventType ? readonly [AccessContext] : readonly [EventContext?];

interface NewEvent {
  readonly type: string;
  readonly payload: string;
  readonly repoId: number | null;
  readonly actorId: number | null;
  readonly createdMs: number;
  readonly isDispatched: 0 | 1;
}

const insertEvent = compiled((tx: Tx, given: Slots<Pick<NewEvent, keyof NewEvent>>) =>
  tx.sql
    .insertInto("events")
    .values({
      type: given.type,
      payload: given.payload,
      repo_id: given.repoId,
      actor_id: given.actorId,
      created_ms: given.createdMs,
      is_dispatched: given.isDispatched,
    })
    .returning([
      "id",
      hasHooks(given.repoId).as("has_hooks"),
      hasWorkflows(given.repoId).as("has_workflows"),
      requiresWorkflows(given.repoId).as("requires_workflows"),
    ]),
);

/** Whether a webhook may apply, evaluated here so that later steps can skip events without webhooks. */
const hasHooks = (repoId: RawBuilder<number | null>) => sql<number>`case
  when exists (select 1 from hooks h where h.repo_id is null and h.owner_id is null) then 1
  when exists (select 1 from hooks h where h.repo_id = ${repoId}) then 1
  when exists (select 1 from hooks h where h.owner_id = (select r.owner_id from repositories r where r.id = ${repoId})) then 1
  else 0 end`;

/** Whether a workflow may be triggered, evaluated here for the same reason. */
const hasWorkflows = (repoId: RawBuilder<number | null>) => sql<number>`case
  when exists (select 1 from action_workflows w where w.repo_id = ${repoId} and w.oid is not null) then 1
  else 0 end`;

/** Whether the organization of a repository requires workflows in it. */
const requiresWorkflows = (repoId: RawBuilder<number | null>) => sql<number>`case
  when exists (select 1 from action_required_workflows q where q.owner_id = (select r.owner_id from repositories r where r.id = ${repoId})
    and (q.covers_all = 1 or exists (select 1 from action_required_repositories c where c.required_id = q.id and c.repo_id = ${repoId}))) then 1
  else 0 end`;

/** Records an event in the transaction of its change; {@link dispatchedTypes} are delivered after the commit. One statement. */
export async function recordEvent<Type extends EventType>(tx: Tx, type: Type, payload: EventMap[Type], ...[context = {}]: ContextOf<Type>): Promise<void> {
  const by = "by" in context ? context.by : undefined;
  // The operator has no account.
  const actorId = by === undefined ? (context as EventContext).actorId : by?.id || null;
  const event = { type, repoId: context.repoId ?? null, actorId: actorId ?? null, createdMs: tx.nowMs };
  const [row] = await insertEvent(tx, { ...event, payload: JSON.stringify(payload), isDispatched: isDispatched(type) ? 0 : 1 });
  if (row === undefined) throw new Error("an inserted event has no id");
  const recorded: EventInTransaction<Type> = {
    id: row.id,
    payload,
    ...event,
    hasHooks: row.has_hooks === 1,
    hasWorkflows: row.has_workflows === 1,
    requiresWorkflows: row.requires_workflows === 1,
    ...(by !== undefined && { by }),
  };
  tx.announce("events", recorded);
}
