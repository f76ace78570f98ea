import { operator } from "../../../../access/actor.ts";
import type { Repository } from "../../../../wire/repository.ts";
import { presentRepository } from "../../../repositories/repos/present.ts";
import { findRepositoryEver, loadRepositoryViews } from "../../../repositories/repos/service/loaders.ts";
import { type ComposeDeps, type HookPayload, loadPayloadContext, presentPlainly, receiver } from "./payload-context.ts";

export async function composeRepository(deps: ComposeDeps, message: HookPayload<"repo.created" | "repo.deleted">): Promise<object | undefined> {
  const context = await loadPayloadContext(deps, message);
  if (context === undefined) return undefined;
  return {
    action: message.type === "repo.created" ? "created" : "deleted",
    repository: message.type === "repo.created" ? withoutWatches(context.repository) : context.repository,
    // @compat the owner, even if it is not an organization (payloads.test.ts)
    organization: presentPlainly(context.view.owner, deps.urls),
    sender: context.sender,
  };
}

/** @compat a new repository is not yet watched by its creator, and not counted as a fork of its origin (payloads.test.ts) */
const withoutWatches = (repository: Repository): Repository => ({ ...repository, watchers_count: 0 });

/** @compat Gitea calls the origin the forkee here (payloads.test.ts) */
export async function composeFork(deps: ComposeDeps, message: HookPayload<"repo.forked">): Promise<object | undefined> {
  const { parentId, repoId } = message.eventPayload;
  const context = await loadPayloadContext(deps, { repoId, actorId: message.actorId });
  const parent = (await loadRepositoryViews(deps, context?.viewer ?? receiver, [parentId]))[0] ?? (await findRepositoryEver(deps, operator, parentId));
  if (context === undefined || parent === undefined) return undefined;
  const forkee = presentRepository(parent, receiver, deps.urls);
  return { forkee: { ...forkee, forks_count: Math.max(forkee.forks_count - 1, 0) }, repository: withoutWatches(context.repository), sender: context.sender };
}
