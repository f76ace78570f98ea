import { anyOf } from "../../../../db/any-of.ts";
import { compiled, type Slots } from "../../../../db/compiled.ts";
import type { Reader } from "../../../../db/db.ts";
import type { PullRow } from "../model.ts";
import { selectPulls, toPullRow } from "./rows.ts";

type Branches = Slots<{ repoId: number; branches: readonly string[] }>;

const selectOpen = (db: Reader) => selectPulls(db).where("i.is_closed", "=", 0).orderBy("p.id");

const byHead = compiled((db, given: Branches) =>
  selectOpen(db)
    .where("p.head_repo_id", "=", given.repoId)
    .where("p.flow", "=", "branch")
    .where((eb) => anyOf(db, eb.ref("p.head_branch"), given.branches)),
);
const byBase = compiled((db, given: Branches) =>
  selectOpen(db)
    .where("p.repo_id", "=", given.repoId)
    .where((eb) => anyOf(db, eb.ref("p.base_branch"), given.branches)),
);

/** Open pull requests from some branches of a repository. */
export const listOpenFrom = async (db: Reader, repoId: number, branches: readonly string[]): Promise<readonly PullRow[]> =>
  (await byHead(db, { repoId, branches })).map(toPullRow);

/** Open pull requests into some branches of a repository. */
export const listOpenInto = async (db: Reader, repoId: number, branches: readonly string[]): Promise<readonly PullRow[]> =>
  (await byBase(db, { repoId, branches })).map(toPullRow);

/** Open pull requests of other repositories with heads in this one, which may be deleted. */
export async function listOpenOfHeads(db: Reader, headRepoId: number): Promise<readonly PullRow[]> {
  const rows = await selectOpen(db).where("p.head_repo_id", "=", headRepoId).where("p.repo_id", "<>", headRepoId).execute();
  return rows.map(toPullRow);
}

/** Such a pull request with its author. */
export interface MaintainedPull extends PullRow {
  /** Null: the account is deleted. */
  readonly posterId: number | null;
}

/** Open pull requests of other repositories with heads in this one that allow maintainer edits. */
export async function listMaintained(db: Reader, headRepoId: number): Promise<readonly MaintainedPull[]> {
  const rows = await selectOpen(db)
    .select("i.poster_id")
    .where("p.head_repo_id", "=", headRepoId)
    .where("p.repo_id", "<>", headRepoId)
    .where("p.allows_maintainer_edit", "=", 1)
    .where("p.flow", "=", "branch")
    .execute();
  return rows.map((row) => ({ ...toPullRow(row), posterId: row.poster_id }));
}

/** The state of a pull request from a branch. */
export interface BranchPullRow {
  readonly branch: string;
  readonly number: number;
  readonly isClosed: boolean;
  readonly isMerged: boolean;
}

/** Pull requests of a repository from some of its own branches, the newest last. */
export async function listFromOwnBranches(db: Reader, repoId: number, branches: readonly string[]): Promise<readonly BranchPullRow[]> {
  const rows = await db.sql
    .selectFrom("pull_requests as p")
    .innerJoin("issues as i", "i.id", "p.issue_id")
    .select(["p.head_branch", "i.number", "i.is_closed", "p.merged_ms"])
    .where("p.head_repo_id", "=", repoId)
    .where("p.repo_id", "=", repoId)
    .where("p.flow", "=", "branch")
    .where((eb) => anyOf(db, eb.ref("p.head_branch"), branches))
    .orderBy("i.number")
    .execute();
  return rows.map((row) => ({ branch: row.head_branch, number: row.number, isClosed: row.is_closed === 1, isMerged: row.merged_ms !== null }));
}
