import { operator } from "../../../../access/actor.ts";
import { presentRepository } from "../../../repositories/repos/present.ts";
import { findRepositoryEver, loadRepositoryViews } from "../../../repositories/repos/service/loaders.ts";
import { type ComposeDeps, type HookPayload, loadPayloadContext, presentPlainly, receiver } from "./payload-context.ts";

export async function composeRepository(deps: ComposeDeps, message: HookPayload<"repo.created" | "repo.deleted">): Promise<object | undefined> {
  const scene = await loadPayloadContext(deps, message);
  if (scene === undefined) return undefined;
  return {
    action: message.type === "repo.created" ? "created" : "deleted",
    repository: scene.repository,
    // @compat the owner, even if it is not an organization
    organization: presentPlainly(scene.view.owner, deps.urls),
    sender: scene.sender,
  };
}

/** @compat Gitea calls the origin the forkee here */
export async function composeFork(deps: ComposeDeps, message: HookPayload<"repo.forked">): Promise<object | undefined> {
  const { parentId, repoId } = message.facts;
  const scene = await loadPayloadContext(deps, { repoId, actorId: message.actorId });
  const parent = (await loadRepositoryViews(deps, scene?.viewer ?? receiver, [parentId]))[0] ?? (await findRepositoryEver(deps, operator, parentId));
  if (scene === undefined || parent === undefined) return undefined;
  return { forkee: presentRepository(parent, receiver, deps.urls), repository: scene.repository, sender: scene.sender };
}
