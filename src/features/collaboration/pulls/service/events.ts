import type { Tx } from "../../../../db/db.ts";
import { type EventContext, recordEvent } from "../../../../events/events.ts";
import type { PullEvent, PullEvents } from "../../../../events/pull-events.ts";
import type { FoundPull } from "../model.ts";

type Details<Type extends keyof PullEvents> = Omit<PullEvents[Type], keyof PullEvent>;

/** Fields of a pull request that events need. */
export type MentionedPull = Pick<FoundPull, "id" | "baseBranch" | "headRepoId" | "headBranch" | "headOid"> & {
  readonly issue: Pick<FoundPull["issue"], "id" | "repoId" | "number" | "title">;
};

/** Records an event about a pull request. */
export function recordPullEvent<Type extends keyof PullEvents>(
  tx: Tx,
  actorId: number | null,
  { id, baseBranch, headRepoId, headBranch, headOid, issue }: MentionedPull,
  type: Type,
  details: Details<Type>,
): Promise<void> {
  const { repoId, number, title } = issue;
  const event: PullEvent = { repoId, issueId: issue.id, number, isPull: true, title, pullId: id, baseBranch, headRepoId, headBranch, headOid };
  return record(tx, type, { ...event, ...details }, { repoId, actorId });
}

/** `recordEvent` for pull request events; the caller's signature checks that the details match the type. */
const record = recordEvent as (tx: Tx, type: keyof PullEvents, payload: PullEvent, context: EventContext) => Promise<void>;
