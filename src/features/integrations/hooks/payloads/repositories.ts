import { operator } from "../../../../access/actor.ts";
import { presentRepository } from "../../../repositories/repos/present.ts";
import { findRepositoryEver, loadRepositoryViews } from "../../../repositories/repos/service/loaders.ts";
import { type ComposeDeps, type HookPayload, loadPayloadContext, presentPlainly, receiver } from "./payload-context.ts";

export async function composeRepository(deps: ComposeDeps, message: HookPayload<"repo.created" | "repo.deleted">): Promise<object | undefined> {
  const context = await loadPayloadContext(deps, message);
  if (context === undefined) return undefined;
  return {
    action: message.type === "repo.created" ? "created" : "deleted",
    repository: context.repository,
    // @compat the owner, even if it is not an organization (payloads.test.ts)
    organization: presentPlainly(context.view.owner, deps.urls),
    sender: context.sender,
  };
}

/** @compat Gitea calls the origin the forkee here (payloads.test.ts) */
export async function composeFork(deps: ComposeDeps, message: HookPayload<"repo.forked">): Promise<object | undefined> {
  const { parentId, repoId } = message.eventPayload;
  const context = await loadPayloadContext(deps, { repoId, actorId: message.actorId });
  const parent = (await loadRepositoryViews(deps, context?.viewer ?? receiver, [parentId]))[0] ?? (await findRepositoryEver(deps, operator, parentId));
  if (context === undefined || parent === undefined) return undefined;
  return { forkee: presentRepository(parent, receiver, deps.urls), repository: context.repository, sender: context.sender };
}
