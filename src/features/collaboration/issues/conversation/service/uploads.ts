import type { UserActor } from "../../../../../access/actor.ts";
import type { Tx } from "../../../../../db/db.ts";
import { recordEvent } from "../../../../../events/events.ts";
import type { IssueRow } from "../../model.ts";
import { hangUploads } from "../store/attachments.ts";

const namedFile = /\/attachments\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/g;
/** Per text. */
const maxFiles = 100;

const filesIn = (text: string): readonly string[] => [...new Set([...text.matchAll(namedFile)].map(([, uuid = ""]) => uuid))].slice(0, maxFiles);

/** A text that can have attachments. */
interface HoldingText {
  readonly issue: Pick<IssueRow, "id" | "repoId">;
  /** Null: the issue's own text. */
  readonly commentId: number | null;
  readonly text: string;
  readonly formerText?: string;
}

/**
 * Attaches pending uploads to the first text of their uploader that references them, in the transaction that stores the text.
 * No statement for a text without references.
 */
export async function hangNamedUploads(tx: Tx, actor: UserActor, { issue, commentId, text, formerText = "" }: HoldingText): Promise<void> {
  const uuids = filesIn(text).filter((uuid) => !formerText.includes(uuid));
  if (uuids.length === 0) return;
  const place = { repoId: issue.repoId, issueId: issue.id, commentId };
  for (const { id, name } of await hangUploads(tx, actor.id, place, uuids))
    await recordEvent(tx, "attachment.created", { ...place, releaseId: null, attachmentId: id, name }, { repoId: issue.repoId, actorId: actor.id });
}
