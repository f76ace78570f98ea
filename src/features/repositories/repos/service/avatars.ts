import type { Tx } from "../../../../db/db.ts";
import * as store from "../store/avatars.ts";

/** Sets the avatar of a repository; empty: none. @returns the previous name; undefined if the repository is gone */
export const replaceRepositoryAvatar = (tx: Tx, id: number, avatar: string): Promise<string | undefined> => store.replaceAvatar(tx, id, avatar);

/** Gives a repository the avatar of another one; the file is shared. One statement. */
export const copyAvatar = (tx: Tx, fromRepoId: number, toRepoId: number): Promise<void> => store.copyAvatar(tx, fromRepoId, toRepoId);
