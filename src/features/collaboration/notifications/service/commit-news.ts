import type { Reader } from "../../../../db/db.ts";
import type { PushedCommit } from "../model.ts";
import { listNotifiedAt } from "../store/threads.ts";

/** Which accounts were first notified of a commit by this push. One statement. */
export const listFirstNotified = (deps: { readonly db: Reader }, accountIds: readonly number[], commit: PushedCommit): Promise<readonly number[]> =>
  listNotifiedAt(deps.db, accountIds, commit);
