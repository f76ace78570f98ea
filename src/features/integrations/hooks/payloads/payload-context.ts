import { anonymous, operator, type UserActor } from "../../../../access/actor.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { EventMap, EventType } from "../../../../events/events.ts";
import type { WorkflowJobEvent, WorkflowRunEvent } from "../../../../events/workflow-events.ts";
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

export interface PayloadDeps extends PullDeps {
  readonly urls: Urls;
}

export interface ComposeDeps extends PayloadDeps {
  /** The payload of a step of a run or job, which a later feature presents. */
  readonly composeWorkflowEvent: (event: WorkflowRunEvent | WorkflowJobEvent, context: PayloadContext) => Promise<object>;
}

/** A message of a known event type. */
export interface HookPayload<Type extends EventType> extends Omit<ToCompose, "eventPayload"> {
  readonly eventPayload: EventMap[Type];
}

/** The data in nearly every payload: the repository and the author. */
export interface PayloadContext {
  readonly view: RepositoryView;
  readonly repository: Repository;
  readonly sender: User;
  /** The payload is presented as the author sees it. */
  readonly viewer: UserActor;
  readonly fullName: string;
}

/** Sees what any signed-in user sees, so hidden addresses are not sent to third parties. */
export const receiver: UserActor = { ...operator, isAdmin: false };

/** @compat Gitea presents a payload as its author sees it; an author with a hidden address is presented as to others (payloads.test.ts) */
const viewerOf = (user: UserView): UserActor =>
  user.hideEmail ? receiver : { ...receiver, id: user.id, name: user.name, fullName: user.fullName, email: user.email };

const loadRepositoryForPayload = async (deps: PayloadDeps, id: number): Promise<RepositoryView | undefined> =>
  (await loadRepositoryViews(deps, operator, [id]))[0] ?? findRepositoryEver(deps, operator, id);

/** @returns undefined if the repository is gone for good */
export async function loadPayloadContext(deps: PayloadDeps, { repoId, actorId }: Pick<ToCompose, "repoId" | "actorId">): Promise<PayloadContext | undefined> {
  const view = repoId === null ? undefined : await loadRepositoryForPayload(deps, repoId);
  if (view === undefined) return undefined;
  // Actions of deploy keys and of the server are attributed to the owner.
  const actor = actorId === null ? view.owner : ((await loadUsers(deps, [actorId])).get(actorId) ?? ghost);
  return {
    view,
    repository: presentRepository(view, receiver, deps.urls),
    sender: presentPlainly(actor, deps.urls),
    viewer: viewerOf(actor),
    fullName: `${view.owner.name}/${view.name}`,
  };
}

/** @compat Gitea sends no addresses of authors or organizations here (payloads.test.ts) */
export const presentPlainly = (user: UserView, urls: Urls): User => ({ ...presentUser(user, anonymous, urls, "none"), email: noreplyAddress(user, urls) });
