import { notFound } from "../../../../core/errors.ts";
import type { Oid } from "../../../../git/types.ts";
import { canReadIssue } from "../../issues/rights.ts";
import { loadIssueRowsById } from "../../issues/service/find.ts";
import type { PullRow, PullView } from "../model.ts";
import { findNewestPull, findPullOfMerge } from "../store/list.ts";
import type { PullDeps, PullViewing } from "./deps.ts";
import { findEnd, findHead } from "./ends.ts";
import { loadPullViews } from "./loaders.ts";

/** The pull request from a head into a base, preferring an open one. @throws ForgeError `not_found` */
export async function getPullByBranches(deps: PullDeps, viewing: PullViewing, base: string, head: string): Promise<PullView> {
  const { actor, repository } = viewing;
  const end = await findHead(deps, actor, repository, head);
  const { branch: baseBranch } = await findEnd(deps, repository, base);
  const ends = { repoId: repository.id, baseBranch, headRepoId: end.repository.id, headBranch: end.branch };
  return show(deps, viewing, await findNewestPull(deps.db, ends));
}

/** The pull request that introduced a commit. @throws ForgeError `not_found` */
export async function getPullOfCommit(deps: PullDeps, viewing: PullViewing, oid: Oid): Promise<PullView> {
  const { id } = viewing.repository;
  const row = await findPullOfMerge(deps.db, id, oid);
  if (row === undefined) {
    throw notFound(`pull request does not exist [id: 0, issue_id: 0, head_repo_id: 0, base_repo_id: ${id}, head_branch: , base_branch: ]`);
  }
  return show(deps, viewing, row);
}

async function show(deps: PullDeps, viewing: PullViewing, row: PullRow | undefined): Promise<PullView> {
  const issue = row && (await loadIssueRowsById(deps, [row.issueId])).get(row.issueId);
  if (row === undefined || issue === undefined || !canReadIssue(viewing.repository, issue)) throw notFound();
  const [view] = await loadPullViews(deps, viewing, [{ ...row, issue }], { sizes: true });
  if (view === undefined) throw notFound();
  return view;
}
