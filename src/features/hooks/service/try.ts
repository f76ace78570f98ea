import { randomUUID } from "node:crypto";
import type { UserActor } from "../../../access/actor.ts";
import type { RepositorySubject } from "../../../access/subjects.ts";
import { notFound } from "../../../core/errors.ts";
import { enqueueAll } from "../../../jobs/job.ts";
import { type BranchDeps, codeStore } from "../../branches/service/deps.ts";
import { resolveRev } from "../../refs/service/resolve.ts";
import { branchPrefix, shortName } from "../../refs/view.ts";
import { insertDeliveries, insertMessages } from "../store/messages.ts";
import { parseBranchFilter } from "./check.ts";
import { getHook } from "./hooks.ts";
import { composeJob, composing } from "./record.ts";

/**
 * Tells a webhook of a push that moved nothing. One whose branch filter leaves the branch out is told nothing.
 * @param rev a branch, tag or commit; the default branch where it is empty
 * @throws ForgeError `not_found`
 */
export async function tryHook(deps: BranchDeps, actor: UserActor, repository: RepositorySubject, id: number, rev: string): Promise<void> {
  const { id: repoId, fullName, defaultBranch } = repository;
  const hook = await getHook(deps, { scope: "repository", repoId, fullName }, id);
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
