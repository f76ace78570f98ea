import type { Config } from "../../../../config/config.ts";
import { tooLarge } from "../../../../core/errors.ts";
import type { Db, Reader, Tx } from "../../../../db/db.ts";
import { addToFilesBytes, recountFilesBytes, sumOwnedBytes } from "../store/sizes.ts";

/** Counts a file that comes to a repository beside its objects, or goes, in the transaction of its row. One statement. */
export const countFile = (tx: Tx, repoId: number, byBytes: number): Promise<void> => addToFilesBytes(tx, repoId, byBytes);

/** Brings the counts in order that files have left with what they hung on. */
export const recountFiles = ({ db }: { readonly db: Db }): Promise<void> => db.tx((tx) => recountFilesBytes(tx));

/** Counts the files of one repository anew, in the transaction that gives it many. One statement. */
export const recountFilesOf = (tx: Tx, repoId: number): Promise<void> => recountFilesBytes(tx, repoId);

export interface RoomDeps {
  readonly db: Reader;
  readonly config: Pick<Config, "limits">;
}

/**
 * Makes sure that an owner's repositories may grow by so much. One statement, none where nothing is limited.
 * @returns by how much they may grow at most
 * @throws ForgeError `too_large`
 */
export async function requireRoom({ db, config }: RoomDeps, ownerId: number, addedBytes: number): Promise<number> {
  const limit = config.limits.owner_bytes;
  if (limit === 0) return Number.POSITIVE_INFINITY;
  const room = limit - (await sumOwnedBytes(db, ownerId));
  if (room < addedBytes) throw tooLarge(`the repositories of one owner take at most ${limit} bytes here, and this would be more`);
  return room;
}

/** The same for what an edit puts into files. What takes nothing, such as a deletion, goes on where there is no room. @throws ForgeError `too_large` */
export async function requireRoomFor(deps: RoomDeps, ownerId: number, blobs: readonly { readonly data: Uint8Array }[]): Promise<void> {
  if (blobs.length === 0) return;
  await requireRoom(
    deps,
    ownerId,
    blobs.reduce((sum, { data }) => sum + data.length, 0),
  );
}
