import type { Reader } from "../../../../db/db.ts";
import type { PushedCommit } from "../model.ts";
import { listToldAt } from "../store/threads.ts";

/** Those of some accounts to whom a push made a commit news that had not been so before. One statement. */
export const listFirstTold = (deps: { readonly db: Reader }, accountIds: readonly number[], commit: PushedCommit): Promise<readonly number[]> =>
  listToldAt(deps.db, accountIds, commit);
