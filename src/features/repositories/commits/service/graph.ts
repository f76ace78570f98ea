import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { notFound } from "../../../../core/errors.ts";
import type { Page } from "../../../../core/paging.ts";
import { type GraphCommit, listGraph } from "../../../../git/maintain/commit-graph.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Oid } from "../../../../git/types.ts";
import { codeStore } from "../../branches/service/deps.ts";
import { branchPrefix, type RefView, shortName } from "../../refs/model.ts";
import { pageBranches, pageTags } from "../../refs/service/read.ts";
import { resolveRev } from "../../refs/service/resolve.ts";
import { type GraphRow, layOutGraph } from "../graph-lanes.ts";
import type { CommitView } from "../model.ts";
import { type CommitDeps, requireCommits, type Viewing, viewCommits } from "./loaders.ts";

/** Lists the commits reachable from some tips; the result is cached per set of tips. */
export type GraphReader = (store: GitStore, tipOids: readonly Oid[]) => Promise<readonly GraphCommit[]>;

/** Maximum number of commits in the graph. */
export const maxGraphCommits = 3_000;
const keptGraphs = 16;

export function createGraphReader(): GraphReader {
  const kept = new LRUCache<string, Promise<readonly GraphCommit[]>>({ max: keptGraphs });
  return (store, tipOids) => {
    const tips = [...new Set(tipOids)].sort();
    const key = `${store.key} ${createHash("sha256").update(tips.join()).digest("base64")}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    // Concurrent requests share this read, so it must not be aborted with any one of them.
    const reading = listGraph(store, tips, maxGraphCommits);
    kept.set(key, reading);
    reading.catch(() => kept.delete(key));
    return reading;
  };
}

export interface GraphDeps extends CommitDeps {
  readonly readGraph: GraphReader;
}

export interface GraphEntry {
  readonly row: GraphRow;
  readonly view: CommitView;
  readonly branches: readonly string[];
  readonly tags: readonly string[];
}

export interface GraphView {
  readonly entries: readonly GraphEntry[];
  readonly total: number;
  /** There are older commits than the graph shows. */
  readonly isCut: boolean;
  /** Branches that can be selected, most recent commits first. */
  readonly branches: readonly string[];
}

/** Branches and tags that are shown, most recent commits first. */
const shownRefs: Page = { page: 1, limit: 100, offset: 0 };

/**
 * A page of the commit graph of all branches, or of one.
 * @param branch empty for all
 * @throws ForgeError `not_found` for an unknown branch
 */
export async function viewGraph(deps: GraphDeps, viewing: Viewing, branch: string, page: Page): Promise<GraphView> {
  const { repository } = viewing;
  const store = codeStore(deps, repository);
  const { items: branches } = await pageBranches(deps.db, store.id, shownRefs);
  const { items: tags } = await pageTags(deps.db, store.id, shownRefs);
  const tips = branch === "" ? branches : [await requireBranch(deps, store, branches, branch)];
  const commits = await deps.readGraph(
    store,
    tips.map(({ oid }) => oid),
  );
  const end = page.offset + page.limit;
  const rows = layOutGraph(commits.slice(0, end)).slice(page.offset);
  const views = await viewCommits(
    deps,
    viewing,
    await requireCommits(
      store,
      rows.map(({ oid }) => oid),
    ),
  );
  const [branchesAt, tagsAt] = [namesAt(branches), namesAt(tags)];
  const entries = views.flatMap((view, at) => {
    const row = rows[at];
    return row === undefined ? [] : [{ row, view, branches: branchesAt.get(row.oid) ?? [], tags: tagsAt.get(row.oid) ?? [] }];
  });
  return { entries, total: commits.length, isCut: commits.length === maxGraphCommits, branches: branches.map(({ name }) => shortName(name)) };
}

async function requireBranch(deps: GraphDeps, store: GitStore, known: readonly RefView[], branch: string): Promise<Pick<RefView, "oid">> {
  const ref = known.find(({ name }) => name === branchPrefix + branch) ?? (await resolveRev(deps, store, branch, ["branch"]));
  if (ref === undefined) throw notFound();
  return ref;
}

function namesAt(refs: readonly RefView[]): ReadonlyMap<Oid, readonly string[]> {
  const grouped = Map.groupBy(refs, ({ oid, peeledOid }) => (peeledOid === "" ? oid : peeledOid));
  return new Map([...grouped].map(([oid, ones]) => [oid, ones.map(({ name }) => shortName(name))]));
}
