import type { Config } from "../../../../config/config.ts";
import { type ForgeError, tooLarge } from "../../../../core/errors.ts";
import type { Db, Reader, Tx } from "../../../../db/db.ts";
import { addToFilesBytes, recountFilesBytes, sumOwnedBytes } from "../store/sizes.ts";

/** Adds the size of an attachment or Git LFS file, or subtracts it, in the transaction of its row. One statement. */
export const countFile = (tx: Tx, repoId: number, byBytes: number): Promise<void> => addToFilesBytes(tx, repoId, byBytes);

/** Corrects the totals after files were deleted by cascades. */
export const recountFiles = ({ db }: { readonly db: Db }): Promise<void> => db.tx((tx) => recountFilesBytes(tx));

/** Recomputes the total of one repository, in the transaction that adds many files. One statement. */
export const recountFilesOf = (tx: Tx, repoId: number): Promise<void> => recountFilesBytes(tx, repoId);

export interface RoomDeps {
  readonly db: Reader;
  readonly config: Pick<Config, "limits">;
}

/**
 * Checks that an owner's repositories may grow by a number of bytes. One statement, none without a limit.
 * @returns the number of bytes by which they may grow
 * @throws ForgeError `too_large`
 */
export async function requireRoom({ db, config }: RoomDeps, ownerId: number, addedBytes: number): Promise<number> {
  const limit = config.limits.owner_bytes;
  if (limit === 0) return Number.POSITIVE_INFINITY;
  const room = limit - (await sumOwnedBytes(db, ownerId));
  if (room < addedBytes) throw noRoom({ config });
  return room;
}

/** The error of an owner whose repositories cannot grow. */
export function noRoom({ config }: Pick<RoomDeps, "config">): ForgeError {
  const maxBytes = config.limits.owner_bytes;
  return tooLarge(`this would exceed the limit of ${maxBytes} bytes for all repositories of one owner`, { reason: { code: "owner_storage_limit", maxBytes } });
}

/** As {@link requireRoom}, for the files of an edit. Edits that add nothing, such as deletions, always succeed. @throws ForgeError `too_large` */
export async function requireRoomFor(deps: RoomDeps, ownerId: number, blobs: readonly { readonly data: Uint8Array }[]): Promise<void> {
  if (blobs.length === 0) return;
  await requireRoom(
    deps,
    ownerId,
    blobs.reduce((sum, { data }) => sum + data.length, 0),
  );
}
