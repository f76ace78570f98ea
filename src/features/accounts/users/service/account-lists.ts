import type { Page, Paged } from "../../../../core/paging.ts";
import type { Reader } from "../../../../db/db.ts";
import { type AccountFilter, pageAccountIds } from "../store/account-lists.ts";

export type { AccountFilter } from "../store/account-lists.ts";

/** Ids of a page of accounts, for features with lists of their own. At most two statements. */
export const listAccountIds = (db: Reader, filter: AccountFilter, page: Page): Promise<Paged<number>> => pageAccountIds(db, filter, page);
