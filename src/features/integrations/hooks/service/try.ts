import { randomUUID } from "node:crypto";
import type { UserActor } from "../../../../access/actor.ts";
import type { SettingsOwner } from "../../../../access/settings-owner.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { invalid, notFound } from "../../../../core/errors.ts";
import { enqueueAll } from "../../../../jobs/job.ts";
import { type BranchDeps, codeStore } from "../../../repositories/branches/service/deps.ts";
import { branchPrefix, shortName } from "../../../repositories/refs/model.ts";
import { resolveRev } from "../../../repositories/refs/service/resolve.ts";
import { findRepository, findRepositoryById } from "../../../repositories/repos/service/find.ts";
import { findLatestUpdated } from "../../../repositories/repos/service/search.ts";
import { insertDeliveries, insertMessages } from "../store/messages.ts";
import { parseBranchFilter } from "./check.ts";
import { getHook } from "./hooks.ts";
import { composeJob, composing } from "./record.ts";

export interface HookTest {
  readonly owner: SettingsOwner;
  readonly id: number;
  /** A branch, tag or commit; empty for the default branch. */
  readonly rev: string;
}

/**
 * Sends a test push, which moves nothing, to a webhook of a repository, an account or the server. A branch that its filter excludes sends nothing.
 * @throws ForgeError `not_found`; `invalid` for a webhook that only serves as a template
 */
export async function tryHook(deps: BranchDeps, actor: UserActor, repository: RepositorySubject, { owner, id, rev }: HookTest): Promise<void> {
  const { id: repoId, defaultBranch } = repository;
  const hook = await getHook(deps, owner, id);
  if (hook.scope === "default") throw invalid("a default webhook is copied into new repositories and sends nothing: test a copy");
  const found = await resolveRev(deps, codeStore(deps, repository), rev === "" ? defaultBranch : rev);
  if (found === undefined && rev !== "") throw notFound();
  const name = found?.refName ?? branchPrefix + defaultBranch;
  if (name.startsWith(branchPrefix) && parseBranchFilter(hook.branchFilter)?.matches(shortName(name)) !== true) return;
  await deps.db.tx(async (tx) => {
    const push = { eventId: 0, position: 0, event: "push", eventType: "push", subject: `${name} ${found?.commitOid ?? ""}`, repoId, actorId: actor.id };
    const [messageId = 0] = await insertMessages(tx, [push]);
    await insertDeliveries(tx, [{ hookId: id, messageId, uuid: randomUUID(), state: hook.url === "" ? "kept" : "waiting" }]);
    await enqueueAll(tx, composeJob, [composing(repoId)]);
  });
}

/**
 * Tests a webhook of an account or the server, which has no repository of its own.
 * @param name the repository whose push is sent: `owner/name`, or the name alone in an account; empty for the last updated one
 * @throws ForgeError `not_found`; `invalid` as {@link tryHook}, and where there is no repository
 */
export async function tryHookWith(deps: BranchDeps, actor: UserActor, test: HookTest, name: string): Promise<void> {
  await getHook(deps, test.owner, test.id);
  await tryHook(deps, actor, await repositoryToTry(deps, actor, test.owner, name), test);
}

async function repositoryToTry(deps: BranchDeps, actor: UserActor, owner: SettingsOwner, name: string): Promise<RepositorySubject> {
  const ownerId = owner.scope === "owner" ? owner.ownerId : undefined;
  if (name === "") {
    const latest = await findLatestUpdated(deps, actor, ownerId);
    if (latest === undefined) throw invalid("there is no repository whose push could be sent: create one first");
    return findRepositoryById(deps, latest, actor);
  }
  const [ownerName = "", repositoryName = ""] = owner.scope === "owner" && !name.includes("/") ? [owner.name, name] : name.split("/", 2);
  const found = await findRepository(deps, ownerName, repositoryName, actor);
  if (!("subject" in found) || (ownerId !== undefined && found.subject.ownerId !== ownerId)) throw notFound();
  return found.subject;
}
