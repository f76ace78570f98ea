import type { UserActor } from "../../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../../access/subjects.ts";
import type { Tx } from "../../../../../db/db.ts";
import type { RecordedEvent } from "../../../../../events/events.ts";
import { walkBetween } from "../../../../../git/objects/walk.ts";
import type { GitStore } from "../../../../../git/stores.ts";
import type { Commit, Oid } from "../../../../../git/types.ts";
import { loadUsers } from "../../../../accounts/users/service/accounts.ts";
import { codeStore } from "../../../../repositories/branches/service/deps.ts";
import { branchPrefix, shortName } from "../../../../repositories/refs/model.ts";
import type { RefMove } from "../../../../repositories/refs/moves.ts";
import { findRepositoriesById } from "../../../../repositories/repos/service/find.ts";
import { getSettings } from "../../../../repositories/repos/service/settings.ts";
import { asActor } from "../../../../repositories/repos/service/user-rights.ts";
import type { PullRow } from "../../model.ts";
import { listOpenInto } from "../../store/follow.ts";
import { findMergeBase } from "../checks.ts";
import type { PullDeps } from "../deps.ts";
import { findPull } from "../find.ts";
import { settleMerged } from "./settle.ts";

/** A pull request whose head enters its base by a push. */
export interface ContainedPull {
  readonly number: number;
  readonly headOid: Oid;
  /** Update of the base. */
  readonly refName: string;
  readonly oldOid: Oid;
  readonly mergeBaseOid: Oid | null;
  /** The first commit of the base that contains the head. */
  readonly commitOid: Oid;
}

/** A push of more commits is not treated as a manual merge. */
const maxCommits = 1_000;

/**
 * Finds the open pull requests that a push merges, before its transaction, if the repository detects manual merges. No statement
 * if no branch is updated, one if no pull request into the updated branches is open.
 * @param store reads the new objects
 */
export async function findContained(
  deps: PullDeps,
  repository: RepositorySubject,
  store: GitStore,
  moves: readonly RefMove[],
): Promise<readonly ContainedPull[]> {
  const updated = moves.filter(({ name, oldOid, newOid }) => name.startsWith(branchPrefix) && oldOid !== null && newOid !== null);
  const moved = new Map(updated.map((move) => [shortName(move.name), move]));
  const pulls = moved.size === 0 ? [] : await listOpenInto(deps.db, repository.id, [...moved.keys()]);
  if (pulls.length === 0 || !(await getSettings(deps, repository.id)).autodetectManualMerge) return [];
  return containedAmong(pulls, store, moved);
}

/** The same for a merge of one pull request, which can contain the heads of others. One statement. */
export async function findBroughtAlong(
  deps: PullDeps,
  repository: RepositorySubject,
  store: GitStore,
  move: RefMove,
  merged: number,
): Promise<readonly ContainedPull[]> {
  const branch = shortName(move.name);
  const pulls = (await listOpenInto(deps.db, repository.id, [branch])).filter(({ number }) => number !== merged);
  return pulls.length === 0 ? [] : containedAmong(pulls, store, new Map([[branch, move]]));
}

async function containedAmong(pulls: readonly PullRow[], store: GitStore, moved: ReadonlyMap<string, RefMove>): Promise<readonly ContainedPull[]> {
  const contained: ContainedPull[] = [];
  for (const [branch, group] of Map.groupBy(pulls, ({ baseBranch }) => baseBranch)) {
    const { name: refName = "", oldOid = null, newOid = null } = moved.get(branch) ?? {};
    if (oldOid === null || newOid === null) continue;
    const commits = await walkBetween(store, newOid, oldOid, maxCommits);
    for (const { number, headOid } of group) {
      const commitOid = firstWith(commits, newOid, headOid);
      if (commitOid === undefined) continue;
      contained.push({ number, headOid, refName, oldOid, commitOid, mergeBaseOid: (await findMergeBase(store, oldOid, headOid)) ?? null });
    }
  }
  return contained;
}

/** The commit that brought a head into a first-parent history; undefined if none did. */
function firstWith(commits: readonly Commit[], tipOid: Oid, headOid: Oid): Oid | undefined {
  const byOid = new Map(commits.map((commit) => [commit.oid, commit]));
  if (!byOid.has(headOid)) return undefined;
  const children = new Map<Oid, Oid[]>();
  for (const { oid, parentOids } of commits) for (const parent of parentOids) children.set(parent, [...(children.get(parent) ?? []), oid]);
  const leading = new Set([headOid]);
  // A set can grow during iteration.
  for (const oid of leading) for (const child of children.get(oid) ?? []) leading.add(child);
  let found: Oid | undefined;
  for (let oid: Oid | undefined = tipOid; oid !== undefined && leading.has(oid); oid = byOid.get(oid)?.parentOids[0]) found = oid;
  return found;
}

/** Marks pull requests as merged, in the transaction that moves the base. */
export async function settleContained(
  tx: Tx,
  actor: UserActor,
  repository: RepositorySubject,
  contained: readonly ContainedPull[],
  moved: readonly RefMove[],
): Promise<void> {
  for (const { number, headOid, refName, oldOid, commitOid, mergeBaseOid } of contained) {
    if (!moved.some((move) => move.name === refName && move.oldOid === oldOid)) continue;
    const pull = await findPull({ db: tx }, repository, number);
    if (pull.isClosed || pull.headOid !== headOid || branchPrefix + pull.baseBranch !== refName) continue;
    const outcome = { style: "manually-merged", baseOid: oldOid, mergeBaseOid, commitOid, isByPush: true, deletedBranch: undefined } as const;
    await settleMerged(tx, actor, repository, pull, outcome);
  }
}

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
