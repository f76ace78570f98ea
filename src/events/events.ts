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
import type { PlanningEvents } from "./planning-events.ts";
import type { PullEvents } from "./pull-events.ts";
import type { ReleaseEvents } from "./release-events.ts";
import type { ReviewEvents } from "./review-events.ts";
import type { WikiEvents } from "./wiki-events.ts";

/**
 * What happened, by type. Payloads hold ids and the names of that moment, never secrets; they are kept as JSON.
 * Changes of access stand among the {@link AccessEvents}, which the audit log keeps.
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
    WikiEvents {
  /** Made as a fork of another; `repo.created` is recorded too. */
  "repo.forked": RepoEvent & { readonly parentId: number };
  /** Made of a template; `repo.created` is recorded too. The items are those that were asked for, by the wire's names. */
  "repo.generated": RepoEvent & { readonly templateId: number; readonly items: readonly string[] };
  "repo.updated": RepoEvent;
  "repo.starred": RepoEvent;
  "repo.unstarred": RepoEvent;
  "repo.watched": RepoEvent;
  "repo.unwatched": RepoEvent;
  "account.followed": FollowEvent;
  "account.unfollowed": FollowEvent;
  "refs.changed": RefsChanged;
  "status.created": StatusEvent;
}

/** What a check said of a commit. */
export interface StatusEvent {
  readonly repoId: number;
  readonly statusId: number;
  /** Counts from 1 for each commit. */
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

/** One transaction's ref updates in a store. */
export interface RefsChanged {
  readonly storeId: number;
  readonly repoId: number;
  /** The first of them; a push of thousands of refs does not make an event of their size. */
  readonly updates: readonly RefUpdateEvent[];
  /** How many refs moved. */
  readonly total: number;
  readonly pushOptions?: readonly string[];
  /** The door that the change came through. */
  readonly via: "push" | "api" | "server";
  /** Mirrors of the repository are pushed to with every change. */
  readonly isMirrored?: true;
  /** Pull requests begin or end in the repository: some may be about the branches that moved. */
  readonly touchesPulls?: true;
  /** No objects came with it: the refs lead to what the store had already. */
  readonly bringsNothing?: true;
  /** Pushed with this key, which is nobody's: the event has no actor then. */
  readonly deployKeyId?: number;
}

export interface RefUpdateEvent {
  readonly name: string;
  /** Null: the ref was made. */
  readonly oldOid: string | null;
  /** Null: the ref was deleted. */
  readonly newOid: string | null;
}

export type EventType = keyof EventMap;

/** What somebody hears of after the commit. All others are written for those in the transaction and for whoever reads the table: they count as delivered. */
export const dispatchedTypes = [
  "branch_protection.deleted",
  "branch_protection.updated",
  "email.added",
  "issue.created",
  "issue.edited",
  "pull.merge_scheduled",
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

/** An event as listeners get it. The id never repeats: a listener that must act once goes by it. */
export interface RecordedEvent<Type extends EventType = EventType> {
  readonly id: number;
  readonly type: Type;
  readonly payload: EventMap[Type];
  readonly repoId: number | null;
  readonly actorId: number | null;
  readonly createdMs: number;
}

/** The same inside its transaction, where it is known who did it and how he came in. Null: the server itself; absent: not told. */
export type EventInTransaction<Type extends EventType = EventType> = RecordedEvent<Type> & {
  readonly by?: Author | null;
  /** False: no webhook hears of its repository. */
  readonly hasHooks: boolean;
};

/** A user who changes something, with his credential and the address that he calls from. */
export type Author = Pick<UserActor, "id" | "name" | "credential" | "address" | "impersonator">;

export interface EventContext {
  readonly repoId?: number | undefined;
  readonly actorId?: number | null | undefined;
}

/** The context of a change of access: whose doing it is, null for the server's own. */
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
    .returning(["id", hasHooks(given.repoId).as("has_hooks")]),
);

/** Whether anybody outside may want to hear of it: asked here, so that nobody has to ask where there is nobody. */
const hasHooks = (repoId: RawBuilder<number | null>) => sql<number>`case
  when exists (select 1 from hooks h where h.repo_id is null and h.owner_id is null) then 1
  when exists (select 1 from hooks h where h.repo_id = ${repoId}) then 1
  when exists (select 1 from hooks h where h.owner_id = (select r.owner_id from repositories r where r.id = ${repoId})) then 1
  else 0 end`;

/** Writes an event in the transaction of the change that it tells of; one of the {@link dispatchedTypes} is delivered when that is durable. One statement. */
export async function recordEvent<Type extends EventType>(tx: Tx, type: Type, payload: EventMap[Type], ...[context = {}]: ContextOf<Type>): Promise<void> {
  const by = "by" in context ? context.by : undefined;
  // The operator is nobody's account.
  const actorId = by === undefined ? (context as EventContext).actorId : by?.id || null;
  const event = { type, repoId: context.repoId ?? null, actorId: actorId ?? null, createdMs: tx.nowMs };
  const [row] = await insertEvent(tx, { ...event, payload: JSON.stringify(payload), isDispatched: isDispatched(type) ? 0 : 1 });
  if (row === undefined) throw new Error("an inserted event has no id");
  const recorded: EventInTransaction<Type> = { id: row.id, payload, ...event, hasHooks: row.has_hooks === 1, ...(by !== undefined && { by }) };
  tx.announce("events", recorded);
}
