import { sql } from "kysely";
import { anyOf } from "../../../../db/any-of.ts";
import { compiled, type Slots } from "../../../../db/compiled.ts";
import type { Reader } from "../../../../db/db.ts";
import type { PullCheck, PullMerge, PullReviews, PullRow } from "../model.ts";

/**
 * Requested users (`u1`) and teams (`t2`), and an `r` for each review, with its reviewer (`r1`) for an approval or change request that is
 * not dismissed; a `c` with the reviewer (`c1`) for a review that only comments. Aggregated into one string, so that one statement loads
 * everything.
 */
const reviewMarks = sql<string | null>`(select string_agg(
    case when v.kind in ('approve', 'reject') and v.is_dismissed = 0 then 'r' || coalesce(cast(v.reviewer_id as text), '')
      when v.kind = 'comment' and v.is_dismissed = 0 then 'c' || coalesce(cast(v.reviewer_id as text), '')
      when v.kind <> 'request' then 'r' when v.team_id is not null then 't' || v.team_id else 'u' || v.reviewer_id end, ',' order by v.id)
  from reviews v where v.issue_id = p.issue_id and v.kind <> 'pending')`;

const branchRef = (branch: string) => sql<string>`'refs/heads/' || ${sql.ref(branch)}`;

/** Pull requests with the current tips of their branches and the last check: one statement for any number. */
export const selectPulls = (db: Reader) =>
  db.sql
    .selectFrom("pull_requests as p")
    .innerJoin("issues as i", "i.id", "p.issue_id")
    .innerJoin("repositories as br", "br.id", "p.repo_id")
    .innerJoin("git_stores as bs", "bs.id", "br.code_store_id")
    .leftJoin("refs as b", (join) => join.onRef("b.store_id", "=", "br.code_store_id").on("b.name", "=", branchRef("p.base_branch")))
    .leftJoin("repositories as hr", (join) => join.onRef("hr.id", "=", "p.head_repo_id").on("hr.deleted_ms", "is", null))
    .leftJoin("refs as h", (join) => join.onRef("h.store_id", "=", "hr.code_store_id").on("h.name", "=", branchRef("p.head_branch")))
    .leftJoin("pull_merge_checks as c", "c.pull_id", "p.id")
    .select([
      "p.id",
      "p.issue_id",
      "p.repo_id",
      "i.number",
      "i.is_closed",
      "br.code_store_id as base_store_id",
      "bs.object_format",
      "p.base_branch",
      "hr.id as head_repo_id",
      "hr.code_store_id as head_store_id",
      "p.head_branch",
      "p.head_oid",
      "p.flow",
      "p.allows_maintainer_edit",
      "p.merged_merge_base_oid",
      "p.merged_base_oid",
      "p.merged_ms",
      "p.merger_id",
      "p.merge_style",
      "p.merge_commit_oid",
      "b.oid as base_tip_oid",
      "h.oid as head_tip_oid",
      "c.base_oid as checked_base_oid",
      "c.head_oid as checked_head_oid",
      "c.merge_base_oid",
      "c.outcome",
      "c.is_empty",
      "c.changed_files",
      "c.additions",
      "c.deletions",
    ])
    .select(reviewMarks.as("review_marks"));

export type SelectedPull = Awaited<ReturnType<ReturnType<typeof selectPulls>["executeTakeFirstOrThrow"]>>;

function toMerge(row: SelectedPull): PullMerge | null {
  const { merged_ms: mergedMs, merge_commit_oid: commitOid, merged_base_oid: baseOid, merge_style: style } = row;
  if (mergedMs === null || commitOid === null || baseOid === null || style === null) return null;
  return { mergeBaseOid: row.merged_merge_base_oid, baseOid, commitOid, style, mergedMs, mergerId: row.merger_id };
}

function toCheck(row: SelectedPull): PullCheck | null {
  const { checked_base_oid: baseOid, checked_head_oid: headOid, outcome, changed_files: changedFiles } = row;
  if (baseOid === null || headOid === null || outcome === null) return null;
  const size = changedFiles === null ? null : { changedFiles, additions: row.additions ?? 0, deletions: row.deletions ?? 0 };
  return { baseOid, headOid, mergeBaseOid: row.merge_base_oid, outcome, isEmpty: row.is_empty === 1, size };
}

function toReviews(marks: string | null): PullReviews {
  const requestedUserIds: number[] = [];
  const requestedTeamIds: number[] = [];
  const reviewerIds = new Set<number>();
  const participantIds = new Set<number>();
  let count = 0;
  for (const mark of marks === null ? [] : marks.split(",")) {
    const id = Number(mark.slice(1));
    if (mark.startsWith("r") || mark.startsWith("c")) count += 1;
    else (mark.startsWith("t") ? requestedTeamIds : requestedUserIds).push(id);
    if (mark.startsWith("t") || id === 0) continue;
    // The latest review or request of a user decides their position.
    for (const ids of mark.startsWith("c") ? [participantIds] : [participantIds, reviewerIds]) {
      ids.delete(id);
      ids.add(id);
    }
  }
  return { requestedUserIds, requestedTeamIds, reviewerIds: [...reviewerIds], participantIds: [...participantIds], count };
}

export const toPullRow = (row: SelectedPull): PullRow => ({
  id: row.id,
  issueId: row.issue_id,
  repoId: row.repo_id,
  number: row.number,
  isClosed: row.is_closed === 1,
  codeStoreId: row.base_store_id,
  objectFormat: row.object_format,
  baseBranch: row.base_branch,
  headRepoId: row.head_repo_id,
  headStoreId: row.head_store_id,
  headBranch: row.head_branch,
  headOid: row.head_oid,
  flow: row.flow,
  allowsMaintainerEdit: row.allows_maintainer_edit === 1,
  merged: toMerge(row),
  baseTipOid: row.base_tip_oid,
  headTipOid: row.flow === "agit" ? null : row.head_tip_oid,
  check: toCheck(row),
  reviews: toReviews(row.review_marks),
});

const ofIssue = compiled((db, given: Slots<{ issueId: number }>) => selectPulls(db).where("p.issue_id", "=", given.issueId));
const ofIssues = compiled((db, given: Slots<{ issueIds: readonly number[] }>) =>
  selectPulls(db).where((eb) => anyOf(db, eb.ref("p.issue_id"), given.issueIds)),
);

export async function findPullRow(db: Reader, issueId: number): Promise<PullRow | undefined> {
  const [row] = await ofIssue(db, { issueId });
  return row && toPullRow(row);
}

/** Pull requests by the ids of their issues, with one statement. */
export async function loadPullRows(db: Reader, issueIds: readonly number[]): Promise<ReadonlyMap<number, PullRow>> {
  if (issueIds.length === 0) return new Map();
  const rows = await ofIssues(db, { issueIds });
  return new Map(rows.map((row) => [row.issue_id, toPullRow(row)]));
}
