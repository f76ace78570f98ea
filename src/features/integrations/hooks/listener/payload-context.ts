import { anonymous, operator, type UserActor } from "../../../../access/actor.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { EventMap, EventType } from "../../../../events/events.ts";
import type { Repository } from "../../../../wire/repository.ts";
import type { User } from "../../../../wire/user.ts";
import { ghost } from "../../../accounts/users/ghost.ts";
import { noreplyAddress } from "../../../accounts/users/git-identity.ts";
import type { UserView } from "../../../accounts/users/model.ts";
import { presentUser } from "../../../accounts/users/present.ts";
import { loadUsers } from "../../../accounts/users/service/accounts.ts";
import type { PullDeps } from "../../../collaboration/pulls/service/deps.ts";
import type { RepositoryView } from "../../../repositories/repos/model.ts";
import { presentRepository } from "../../../repositories/repos/present.ts";
import { findRepositoryEver, loadRepositoryViews } from "../../../repositories/repos/service/loaders.ts";
import type { ToCompose } from "../service/compose.ts";

export interface ComposeDeps extends PullDeps {
  readonly urls: Urls;
}

/** A message whose kind is known. */
export interface HookPayload<Type extends EventType> extends Omit<ToCompose, "facts"> {
  readonly facts: EventMap[Type];
}

/** What nearly every payload shows: where something happened, and who did it. */
export interface PayloadContext {
  readonly view: RepositoryView;
  readonly repository: Repository;
  readonly sender: User;
  /** For whom the rest is presented: whoever did it. */
  readonly viewer: UserActor;
  readonly fullName: string;
}

/** Sees what everybody sees who has signed in: nobody's hidden address is told to strangers. */
export const receiver: UserActor = { ...operator, isAdmin: false };

/** @compat things are shown as whoever did it sees them; who hides his address is shown as to others */
const viewerOf = (user: UserView): UserActor =>
  user.hideEmail ? receiver : { ...receiver, id: user.id, name: user.name, fullName: user.fullName, email: user.email };

const findRepository = async (deps: ComposeDeps, id: number): Promise<RepositoryView | undefined> =>
  (await loadRepositoryViews(deps, operator, [id]))[0] ?? findRepositoryEver(deps, operator, id);

/** @returns undefined where the repository is gone for good */
export async function loadPayloadContext(deps: ComposeDeps, { repoId, actorId }: Pick<ToCompose, "repoId" | "actorId">): Promise<PayloadContext | undefined> {
  const view = repoId === null ? undefined : await findRepository(deps, repoId);
  if (view === undefined) return undefined;
  // What a deploy key or the server does is done for the owner.
  const actor = actorId === null ? view.owner : ((await loadUsers(deps, [actorId])).get(actorId) ?? ghost);
  return {
    view,
    repository: presentRepository(view, receiver, deps.urls),
    sender: presentPlainly(actor, deps.urls),
    viewer: viewerOf(actor),
    fullName: `${view.owner.name}/${view.name}`,
  };
}

/** @compat nobody's own address is told of those who act, nor an organization's */
export const presentPlainly = (user: UserView, urls: Urls): User => ({ ...presentUser(user, anonymous, urls, "nobody"), email: noreplyAddress(user, urls) });
