import { compiled, type Slots } from "../db/compiled.ts";
import type { Tx } from "../db/db.ts";
import type { PlanningEvents } from "./planning-events.ts";

/** What happened, by type. Payloads hold ids and the names of that moment, never secrets; they are kept as JSON. */
export interface EventMap extends PlanningEvents {
  "account.created": AccountEvent;
  "account.updated": AccountEvent;
  "account.renamed": AccountEvent & { readonly formerName: string };
  "account.deleted": AccountEvent;
  "token.created": TokenEvent;
  "token.deleted": TokenEvent;
  "repo.created": RepoEvent;
  /** Made as a fork of another; `repo.created` is recorded too. */
  "repo.forked": RepoEvent & { readonly parentId: number };
  "repo.updated": RepoEvent;
  "repo.renamed": RepoEvent & { readonly formerName: string };
  "repo.transferred": RepoEvent & { readonly formerOwnerId: number; readonly formerOwnerName: string };
  "repo.deleted": RepoEvent;
  "refs.changed": RefsChanged;
  "public_key.created": PublicKeyEvent;
  "public_key.deleted": PublicKeyEvent;
  "deploy_key.created": DeployKeyEvent;
  "deploy_key.deleted": DeployKeyEvent;
}

export interface AccountEvent {
  readonly accountId: number;
  readonly name: string;
  readonly kind: "user" | "organization";
}

export interface TokenEvent {
  readonly accountId: number;
  readonly tokenId: number;
  readonly name: string;
}

export interface RepoEvent {
  readonly repoId: number;
  readonly name: string;
  readonly ownerId: number;
  readonly ownerName: string;
}

export interface PublicKeyEvent {
  readonly accountId: number;
  readonly keyId: number;
  readonly fingerprint: string;
}

export interface DeployKeyEvent {
  readonly repoId: number;
  readonly deployKeyId: number;
  readonly fingerprint: string;
  readonly isReadOnly: boolean;
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
}

export interface RefUpdateEvent {
  readonly name: string;
  /** Null: the ref was made. */
  readonly oldOid: string | null;
  /** Null: the ref was deleted. */
  readonly newOid: string | null;
}

export type EventType = keyof EventMap;

/** An event as listeners get it. The id never repeats: a listener that must act once goes by it. */
export interface RecordedEvent<Type extends EventType = EventType> {
  readonly id: number;
  readonly type: Type;
  readonly payload: EventMap[Type];
  readonly repoId: number | null;
  readonly actorId: number | null;
  readonly createdMs: number;
}

export interface EventContext {
  readonly repoId?: number | undefined;
  readonly actorId?: number | null | undefined;
}

const insertEvent = compiled((tx: Tx, given: Slots<{ type: string; payload: string; repoId: number | null; actorId: number | null; createdMs: number }>) =>
  tx.sql
    .insertInto("events")
    .values({ type: given.type, payload: given.payload, repo_id: given.repoId, actor_id: given.actorId, created_ms: given.createdMs })
    .returning("id"),
);

/** Writes an event in the transaction of the change that it tells of; it is delivered when that is durable. One statement. */
export async function recordEvent<Type extends EventType>(tx: Tx, type: Type, payload: EventMap[Type], context: EventContext = {}): Promise<void> {
  const event = { type, repoId: context.repoId ?? null, actorId: context.actorId ?? null, createdMs: tx.nowMs };
  const [row] = await insertEvent(tx, { ...event, payload: JSON.stringify(payload) });
  if (row === undefined) throw new Error("an inserted event has no id");
  const recorded: RecordedEvent<Type> = { id: row.id, payload, ...event };
  tx.announce("events", recorded);
}
