import type { RepositorySubject } from "../../../../access/subjects.ts";
import { containingRefs } from "../../../../git/history/containing-refs.ts";
import type { GitStores } from "../../../../git/stores.ts";
import type { Oid } from "../../../../git/types.ts";
import { codeStore } from "../../branches/service/deps.ts";
import { branchPrefix, shortName } from "../../refs/model.ts";
import type { RefSnapshots } from "../../refs/service/snapshots.ts";

export interface ContainingDeps {
  readonly git: GitStores;
  readonly refSnapshots: RefSnapshots;
}

/** The branches and tags that contain a commit, newest first. */
export interface ContainingRefs {
  readonly branches: readonly string[];
  readonly tags: readonly string[];
  /** There are more. */
  readonly isCut: boolean;
}

const maxRefs = 500;

/** One process, and at most two statements. */
export async function findContainingRefs(deps: ContainingDeps, repository: RepositorySubject, oid: Oid, signal: AbortSignal): Promise<ContainingRefs> {
  using snapshot = await deps.refSnapshots.take(codeStore(deps, repository), "advertised");
  if (snapshot.store.refsDirectory === undefined) return { branches: [], tags: [], isCut: false };
  const names = await containingRefs(snapshot.store, oid, maxRefs + 1, signal);
  const shown = names.slice(0, maxRefs);
  const [branches, tags] = [true, false].map((isBranch) => shown.filter((name) => name.startsWith(branchPrefix) === isBranch).map(shortName));
  return { branches: branches ?? [], tags: tags ?? [], isCut: names.length > maxRefs };
}
