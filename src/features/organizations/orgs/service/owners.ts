import type { Reader } from "../../../../db/db.ts";
import { listOwners } from "../store.ts";

/** Whom what an account owns concerns: a user himself, or the owners of an organization. One statement. */
export const listOwnerIds = (deps: { readonly db: Reader }, accountId: number): Promise<readonly number[]> => listOwners(deps.db, accountId);
