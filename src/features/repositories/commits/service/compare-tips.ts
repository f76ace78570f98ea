import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { GitStores } from "../../../../git/stores.ts";
import type { Oid } from "../../../../git/types.ts";
import { codeStore } from "../../branches/service/deps.ts";
import { type Divergence, divergencesOf } from "../divergence.ts";
import type { GraphReader } from "./graph.ts";

/** How far tips diverge from a base, as known from the newest commits. No statement; at most one process, none while the tips are unchanged. */
export const compareTips = async (
  deps: { readonly git: GitStores; readonly readGraph: GraphReader },
  repository: RepositorySubject,
  baseOid: Oid,
  headOids: readonly Oid[],
): Promise<ReadonlyMap<Oid, Divergence | undefined>> =>
  divergencesOf(await deps.readGraph(codeStore(deps, repository), [baseOid, ...headOids]), baseOid, headOids);
