import type { Reader } from "../../../../db/db.ts";
import type { ReleaseNews } from "../model.ts";
import { listReleaseAddressees } from "../store/release-recipients.ts";

/** A batch of the accounts that want emails about a release, by id, after a given one. Their access is checked when an email is sent. One statement. */
export const listEmailedWatchers = (deps: { readonly db: Reader }, news: ReleaseNews, afterId: number, limit: number): Promise<readonly number[]> =>
  listReleaseAddressees(deps.db, news, afterId, limit);
