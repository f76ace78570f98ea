import type { Tx } from "../../../../db/db.ts";
import * as store from "../store/avatars.ts";

export type { RepositoryPicture } from "../store/avatars.ts";

/** Sets a picture of a repository; empty: none. @returns the previous name; undefined if the repository is gone */
export const replaceRepositoryPicture = (tx: Tx, id: number, kind: store.RepositoryPicture, picture: string): Promise<string | undefined> =>
  store.replacePicture(tx, id, kind, picture);

/** Gives a repository the avatar of another one; the file is shared. One statement. */
export const copyAvatar = (tx: Tx, fromRepoId: number, toRepoId: number): Promise<void> => store.copyAvatar(tx, fromRepoId, toRepoId);
