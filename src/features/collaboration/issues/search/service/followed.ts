import type { UserActor } from "../../../../../access/actor.ts";
import type { Page, Paged } from "../../../../../core/paging.ts";
import type { Reader } from "../../../../../db/db.ts";
import { readableUnits } from "../../../../repositories/repos/service/readable.ts";
import type { IssueView } from "../../model.ts";
import { isFollowedBy } from "../store/followed.ts";
import { pageOrderedIds } from "../store/ordered.ts";
import { loadReadable } from "./search.ts";

export interface FollowedFilter {
  /** Undefined: both. */
  readonly isClosed: boolean | undefined;
  readonly isPull: boolean | undefined;
}

/**
 * Issues and pull requests that the caller is subscribed to and can read, newest first. Those of watched repositories are included only
 * if the caller takes part in them.
 */
export async function listFollowed(deps: { readonly db: Reader }, actor: UserActor, filter: FollowedFilter, page: Page): Promise<Paged<IssueView>> {
  const { issues, pulls } = readableUnits(actor, {});
  const { items, total } = await pageOrderedIds(deps.db, { ...filter, within: { issues, pulls }, idCondition: isFollowedBy(actor.id) }, "newest", page);
  return { items: await loadReadable(deps, actor, items), total };
}
