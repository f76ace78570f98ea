import type { Tx } from "../../../../db/db.ts";
import { replaceAvatar } from "../store/avatars.ts";

/** Sets the avatar of an account; empty: the generated one. @returns the previous name; undefined if the account is gone */
export const replaceAccountAvatar = (tx: Tx, id: number, avatar: string): Promise<string | undefined> => replaceAvatar(tx, id, avatar);
