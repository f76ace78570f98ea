import type { RecordedEvent } from "../../../../../events/events.ts";
import { loadUsers } from "../../../../accounts/users/service/accounts.ts";
import { codeStore } from "../../../../repositories/branches/service/deps.ts";
import { findRepositoriesById } from "../../../../repositories/repos/service/find.ts";
import { asActor } from "../../../../repositories/repos/service/user-rights.ts";
import type { PullDeps } from "../deps.ts";
import { findContained, settleContained } from "./contained.ts";

/**
 * Detects pull requests merged by an API update of a branch to an existing commit: without a push the commits were not checked before.
 * Idempotent for repeated deliveries.
 */
export async function settleAfterMove(deps: PullDeps, { payload, actorId }: RecordedEvent<"refs.changed">): Promise<void> {
  const { repoId, via, touchesPulls, bringsNothing } = payload;
  const updates = payload.updates.filter(({ oldOid, newOid }) => oldOid !== null && newOid !== null);
  if (via !== "api" || touchesPulls !== true || bringsNothing !== true || updates.length === 0 || actorId === null) return;
  const user = (await loadUsers(deps, [actorId])).get(actorId);
  const actor = user && asActor(user);
  const repository = actor && (await findRepositoriesById(deps, [repoId], actor)).get(repoId);
  if (actor === undefined || repository === undefined) return;
  const contained = await findContained(deps, repository, codeStore(deps, repository), updates);
  if (contained.length > 0) await deps.db.tx((tx) => settleContained(tx, actor, repository, contained, updates));
}
