import type { Tx } from "../../../../db/db.ts";
import { type Author, recordEvent } from "../../../../events/events.ts";
import { deleteCollaborationsOf } from "../store/collaborators.ts";
import { deleteAllMarks, deleteMarksOf } from "../store/stars-and-watches.ts";

/** Deletes the watches and stars of an account, within the transaction that deletes it, so that they are no longer counted. */
export const forgetMarks = (tx: Tx, accountId: number): Promise<void> => deleteAllMarks(tx, accountId);

/** Removes the watches, stars and collaborations of an account on an owner's repositories, within the caller's transaction. */
export async function removeAccess(tx: Tx, by: Author, owner: Named, account: Named): Promise<void> {
  await deleteMarksOf(tx, owner.id, account.id);
  for (const { id: repoId, name } of await deleteCollaborationsOf(tx, owner.id, account.id)) {
    const event = { repoId, name, ownerId: owner.id, ownerName: owner.name, memberId: account.id, memberName: account.name };
    await recordEvent(tx, "collaborator.removed", event, { repoId, by });
  }
}

interface Named {
  readonly id: number;
  readonly name: string;
}
