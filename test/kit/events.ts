import type { TestForge } from "./forge.ts";

export interface RecordedTestEvent {
  readonly type: string;
  readonly actorId: number | null;
  // biome-ignore lint/suspicious/noExplicitAny: each type has its own payload, and tests compare it as it is
  readonly payload: any;
}

export interface EventFilter {
  /** A type such as `status.created`, or all types of a subject: `release.*`. Default: all. */
  readonly type?: string;
  readonly repositoryId?: number;
}

/** The events that a forge recorded, the oldest first. */
export async function eventsOf(forge: TestForge, { type, repositoryId }: EventFilter = {}): Promise<readonly RecordedTestEvent[]> {
  let query = forge.context.db.sql.selectFrom("events").select(["type", "actor_id", "payload"]).orderBy("id");
  if (type !== undefined) query = query.where("type", "like", type.replace("*", "%"));
  if (repositoryId !== undefined) query = query.where("repo_id", "=", repositoryId);
  return (await query.execute()).map((row) => ({ type: row.type, actorId: row.actor_id, payload: JSON.parse(row.payload) }));
}

/** Their total, to show that an action recorded none. */
export async function countEvents(forge: TestForge): Promise<number> {
  const count = forge.context.db.sql.selectFrom("events").select((eb) => eb.fn.countAll<number>().as("total"));
  return Number((await count.executeTakeFirstOrThrow()).total);
}
