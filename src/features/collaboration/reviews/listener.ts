import type { Dispatcher } from "../../../events/dispatcher.ts";
import { isDraftTitle } from "../issues/draft.ts";
import { carryReviews } from "./service/carry.ts";
import type { ReviewDeps } from "./service/find.ts";
import { requestOwners } from "./service/owners.ts";

/** Asks the owners of code for reviews of what is opened, or is ready after it was a draft, and carries reviews on to a head that changes the same. */
export function listenForReviews(dispatcher: Dispatcher, deps: ReviewDeps): void {
  dispatcher.on("reviews: owners of code", ["issue.created", "issue.edited"], async ({ type, payload }) => {
    const { isPull, title, repoId, number } = payload;
    const wasDraft = "formerTitle" in payload && payload.formerTitle !== undefined && isDraftTitle(payload.formerTitle);
    if (isPull && !isDraftTitle(title) && (type === "issue.created" || wasDraft)) await requestOwners(deps, repoId, number);
  });
  dispatcher.on("reviews: moved heads", ["pull.synchronized"], ({ payload }) => carryReviews(deps, payload));
}
