import type { Actor } from "../../../../access/actor.ts";
import { atLeast } from "../../../../access/repository.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { isForgeError } from "../../../../core/errors.ts";
import type { Reader } from "../../../../db/db.ts";
import type { GitStores } from "../../../../git/stores.ts";
import type { Oid } from "../../../../git/types.ts";
import { codeStore } from "../../branches/service/deps.ts";
import { type Divergence, divergencesOf } from "../../commits/divergence.ts";
import type { GraphReader } from "../../commits/service/graph.ts";
import { shortName } from "../../refs/model.ts";
import { findRepositoryById } from "../../repos/service/find.ts";
import { upstreamOf } from "./merge-upstream.ts";

export interface ForkStateDeps {
  readonly db: Reader;
  readonly git: GitStores;
  readonly readGraph: GraphReader;
}

/** How far a branch of a fork diverges from its parent. */
export interface ForkState {
  readonly parent: { readonly ownerName: string; readonly name: string; readonly takesPulls: boolean };
  /** The branch of the parent that is compared: the one with the same name, or its default branch. */
  readonly parentBranch: string;
  /** Undefined if it cannot be counted from the newest commits. */
  readonly divergence: Divergence | undefined;
}

/**
 * At most three statements. No process if both tips are the same or their newest commits are kept, otherwise at most two: neither store has the
 * commits of both if they have diverged.
 * @param parentId the parent that the caller can see
 * @returns undefined for a parent without branches, and for one whose code the caller cannot read
 */
export async function readForkState(
  deps: ForkStateDeps,
  actor: Actor,
  fork: RepositorySubject,
  parentId: number,
  branch: { readonly name: string; readonly oid: Oid },
): Promise<ForkState | undefined> {
  const parent = await findRepositoryById(deps, parentId, actor).catch((error: unknown) => {
    if (isForgeError(error, "not_found")) return undefined;
    throw error;
  });
  if (parent === undefined || !atLeast(parent.right.unit("repo.code"), "read")) return undefined;
  const upstream = await upstreamOf(deps, parent, branch.name);
  if (upstream === undefined) return undefined;
  return {
    parent: {
      ownerName: parent.ownerName,
      name: parent.name,
      takesPulls: !parent.isArchived && atLeast(parent.right.unit("repo.pulls"), "read"),
    },
    parentBranch: shortName(upstream.name),
    divergence: upstream.oid === branch.oid ? { ahead: 0, behind: 0 } : await diverge(deps, { fork, parent, headOid: branch.oid, baseOid: upstream.oid }),
  };
}

interface Tips {
  readonly fork: RepositorySubject;
  readonly parent: RepositorySubject;
  readonly headOid: Oid;
  readonly baseOid: Oid;
}

async function diverge(deps: ForkStateDeps, { fork, parent, headOid, baseOid }: Tips): Promise<Divergence | undefined> {
  const ofParent = await deps.readGraph(codeStore(deps, parent), [baseOid]);
  const isBehindOnly = ofParent.some(({ oid }) => oid === headOid);
  const ofFork = isBehindOnly ? [] : await deps.readGraph(codeStore(deps, fork), [headOid]);
  return divergencesOf([...ofParent, ...ofFork], baseOid, [headOid]).get(headOid);
}
