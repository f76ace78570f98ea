import type { Reader } from "../../../../db/db.ts";
import { listOwners } from "../store.ts";

/** The users responsible for an account: the user, or the owners of an organization. One statement. */
export const listOwnerIds = (deps: { readonly db: Reader }, accountId: number): Promise<readonly number[]> => listOwners(deps.db, accountId);
