import { type Actor, isSelf, isSiteAdmin, type UserActor } from "../../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../../access/subjects.ts";
import { forbidden, notFound } from "../../../../../core/errors.ts";
import type { Page, Paged } from "../../../../../core/paging.ts";
import type { Db, Reader, Tx } from "../../../../../db/db.ts";
import type { UserView } from "../../../../accounts/users/model.ts";
import { findUserByName, loadUsersInOrder } from "../../../../accounts/users/service/accounts.ts";
import type { IssueRow } from "../../model.ts";
import { requireIssue } from "../../service/find.ts";
import { declineSubscription, findInterest, type Interest, pageSubscriberIds, putSubscription } from "../store/subscriptions.ts";

/** Users who ignore the repository are not. An explicit choice decides for others; otherwise watchers and participants are subscribed. */
export const isSubscribed = ({ chosen, watchesRepository, ignoresRepository, takesPart }: Interest): boolean =>
  !ignoresRepository && (chosen ?? (watchesRepository || takesPart));

/** Subscribers visible to the caller. @throws ForgeError `not_found` */
export async function listSubscribers(
  deps: { readonly db: Reader },
  actor: Actor,
  repository: RepositorySubject,
  number: string,
  page: Page,
): Promise<Paged<UserView>> {
  const issue = await requireIssue(deps, repository, number);
  const { items, total } = await pageSubscriberIds(deps.db, issue.id, actor, page);
  return { items: await loadUsersInOrder(deps, items), total };
}

/** Whether the caller is subscribed to an issue. @throws ForgeError `not_found` */
export async function checkSubscription(
  deps: { readonly db: Reader },
  actor: UserActor,
  repository: RepositorySubject,
  number: string,
): Promise<{ readonly isSubscribed: boolean; readonly issue: IssueRow }> {
  const issue = await requireIssue(deps, repository, number);
  return { issue, isSubscribed: isSubscribed(await findInterest(deps.db, issue.id, actor.id)) };
}

/**
 * Subscribes or unsubscribes a user: the caller themselves, or any user if the caller is a site administrator. A subscription has no effect while
 * the user ignores the repository.
 * @returns whether anything changed
 * @throws ForgeError `not_found`; `forbidden` for another user
 */
export async function setSubscription(
  deps: { readonly db: Db },
  actor: UserActor,
  repository: RepositorySubject,
  at: { readonly number: string; readonly user: string },
  wanted: boolean,
): Promise<boolean> {
  const issue = await requireIssue(deps, repository, at.number);
  const user = await findUserByName(deps, at.user);
  if (user === undefined) throw notFound();
  if (!isSelf(actor, user.id) && !isSiteAdmin(actor)) throw forbidden(`${actor.name} is not permitted to change subscriptions for ${user.name}`);
  return deps.db.tx(async (tx) => {
    const before = await findInterest(tx, issue.id, user.id);
    if (isSubscribed(before) === wanted) return false;
    await putSubscription(tx, issue.id, user.id, wanted);
    return true;
  });
}

/** Unsubscribes an account, which is then notified only of mentions. Does nothing if the account or the issue has been deleted. */
export const declineNews = (tx: Tx, issueId: number, accountId: number): Promise<void> => declineSubscription(tx, issueId, accountId);
