import type { Tx } from "../../../../db/db.ts";
import type { EventInTransaction, RefsChanged } from "../../../../events/events.ts";
import { branchPrefix, shortName } from "../../../repositories/refs/model.ts";
import { renamedTo } from "../../../repositories/refs/renames.ts";
import { changeIssue } from "../../issues/service/change.ts";
import { closeAnyway } from "../../issues/service/set-state.ts";
import type { FoundPull } from "../model.ts";
import { listOpenFrom, listOpenInto } from "../store/follow.ts";
import { updatePull } from "../store/pulls.ts";
import { recordPullEvent } from "./events.ts";
import { moveHeadRef } from "./heads.ts";
import { pushText } from "./pushed-commits.ts";
import { joinIssues } from "./targets.ts";

/**
 * Updates open pull requests in the transaction that moves their branches: new commits on a head, a renamed branch, a deleted branch.
 * Two statements if no pull request is affected, none if the repository has never had one.
 */
export async function followBranches(tx: Tx, events: readonly EventInTransaction<"refs.changed">[]): Promise<void> {
  for (const { payload, actorId } of events) if (payload.touchesPulls === true) await follow(tx, payload, actorId);
}

async function follow(tx: Tx, change: RefsChanged, actorId: number | null): Promise<void> {
  const { repoId } = change;
  const moved = new Map(change.updates.flatMap((update) => (update.name.startsWith(branchPrefix) ? [[shortName(update.name), update] as const] : [])));
  const branches = [...moved.keys()];
  if (branches.length === 0) return;
  for (const pull of await joinIssues(tx, await listOpenFrom(tx, repoId, branches))) {
    const update = moved.get(pull.headBranch);
    if (update === undefined) continue;
    const newName = renamedTo(change, update);
    if (newName !== undefined) await updatePull(tx, pull.id, { head_branch: newName });
    else if (update.newOid === null) await close(tx, actorId, pull);
    else if (update.newOid !== pull.headOid) await synchronize(tx, actorId, pull, update.newOid);
  }
  // A moved base changes no row: its effects are computed on demand.
  const gone = branches.filter((branch) => moved.get(branch)?.newOid === null);
  if (gone.length === 0) return;
  for (const pull of await joinIssues(tx, await listOpenInto(tx, repoId, gone))) {
    const update = moved.get(pull.baseBranch);
    const newName = update && renamedTo(change, update);
    if (newName !== undefined) await updatePull(tx, pull.id, { base_branch: newName });
    else await close(tx, actorId, pull);
  }
}

async function close(tx: Tx, actorId: number | null, pull: FoundPull): Promise<void> {
  const change = changeIssue(tx, actorId, pull.issue);
  await closeAnyway(change);
  await change.finish();
}

/** Sets a new head, which a repository's own store already contains, and records the event. */
export async function synchronize(tx: Tx, actorId: number | null, pull: FoundPull, headOid: string): Promise<void> {
  await updatePull(tx, pull.id, { head_oid: headOid });
  const change = changeIssue(tx, actorId, pull.issue);
  change.note("pull_push", { content: pushText([headOid], false), payload: { commitOid: headOid } });
  await change.finish();
  // Commits of another repository are copied after the commit of the transaction, and then the ref is updated.
  if (pull.headRepoId === pull.repoId) await moveHeadRef(tx, pull.codeStoreId, pull, headOid);
  await recordPullEvent(tx, actorId, { ...pull, headOid }, "pull.synchronized", { formerHeadOid: pull.headOid });
}
