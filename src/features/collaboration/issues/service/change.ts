import type { Tx } from "../../../../db/db.ts";
import type { CommentKind } from "../../../../db/tables/issues.ts";
import { type EventContext, recordEvent } from "../../../../events/events.ts";
import type { IssueEvent, IssueEvents } from "../../../../events/issue-events.ts";
import type { CommentPayload } from "../conversation/comment-payload.ts";
import { insertEntries, type NewEntry } from "../conversation/store/comments.ts";
import type { IssueRow } from "../model.ts";
import { type IssueColumns, updateIssue } from "../store/rows.ts";

/** Data of an event besides its issue. */
type Details<Type extends keyof IssueEvents> = Omit<IssueEvents[Type], keyof IssueEvent>;

/**
 * A change of an issue in progress: steps collect column updates, timeline entries and events, and {@link finish} writes all of them, with
 * one statement for the row and one for the timeline, regardless of the number of steps.
 */
export interface IssueChange {
  readonly tx: Tx;
  /** Null: the server itself. */
  readonly actorId: number | null;
  /** The issue before the change. */
  readonly before: IssueRow;
  set(columns: IssueColumns): void;
  note(kind: CommentKind, entry?: { readonly content?: string; readonly payload?: CommentPayload }): void;
  announce<Type extends keyof IssueEvents>(type: Type, details: Details<Type>): void;
  finish(): Promise<void>;
}

export function changeIssue(tx: Tx, actorId: number | null, before: IssueRow): IssueChange {
  const columns: IssueColumns = {};
  const entries: NewEntry[] = [];
  const events: (() => Promise<void>)[] = [];
  return {
    tx,
    actorId,
    before,
    set: (more) => void Object.assign(columns, more),
    note: (kind, entry = {}) => void entries.push({ ...entry, kind, issueId: before.id, repoId: before.repoId, posterId: actorId }),
    announce: (type, details) => void events.push(() => recordIssueEvent(tx, actorId, { ...before, title: columns.title ?? before.title }, type, details)),
    async finish() {
      if (Object.keys(columns).length > 0 || entries.length > 0) await updateIssue(tx, before.id, columns);
      await insertEntries(tx, entries);
      for (const record of events) await record();
    },
  };
}

/** Records an event about an issue. */
export function recordIssueEvent<Type extends keyof IssueEvents>(
  tx: Tx,
  actorId: number | null,
  issue: Pick<IssueRow, "id" | "repoId" | "number" | "isPull" | "title">,
  type: Type,
  details: Details<Type>,
): Promise<void> {
  const { repoId, number, isPull, title } = issue;
  const event: IssueEvent = { repoId, issueId: issue.id, number, isPull, title };
  return record(tx, type, { ...event, ...details }, { repoId, actorId });
}

/** `recordEvent` for issue events; the caller's signature checks that the details match the type. */
const record = recordEvent as (tx: Tx, type: keyof IssueEvents, payload: IssueEvent, context: EventContext) => Promise<void>;
