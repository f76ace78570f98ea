import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Reader } from "../../../../db/db.ts";
import { loadUsers } from "../../../accounts/users/service/accounts.ts";
import { loadTeams } from "../../../organizations/teams/service/load.ts";
import { findBranchRule } from "../../../repositories/protections/service/approvers.ts";
import { canReadCode } from "../../issues/rights.ts";
import type { FoundPull } from "../../pulls/model.ts";
import type { PresentLines, PullLocation, ReviewCommentRow, ReviewCommentView, ReviewRow, ReviewView } from "../model.ts";

type ReviewedPull = Pick<FoundPull, "headOid" | "baseBranch">;

/** Whether head or base changed since a review. Derived from both, so a push need not mark reviews. */
export const isStale = ({ kind, seenOid, baseBranch }: Pick<ReviewRow, "kind" | "seenOid" | "baseBranch">, pull: ReviewedPull): boolean =>
  kind !== "request" && (seenOid !== pull.headOid || baseBranch !== pull.baseBranch);

export const placeOf = (repository: RepositorySubject, pull: Pick<FoundPull, "number">) => ({ repository, number: pull.number });

/**
 * Loads everything that responses include of a pull request's reviews, in the order of `rows`. At most four statements for any
 * number of reviews:
 * each only if there is something to load.
 */
export async function loadReviewViews(
  { db }: { readonly db: Reader },
  repository: RepositorySubject,
  pull: FoundPull,
  rows: readonly ReviewRow[],
): Promise<readonly ReviewView[]> {
  if (rows.length === 0) return [];
  const users = await loadUsers({ db }, [...new Set(rows.flatMap(({ reviewerId }) => reviewerId ?? []))]);
  const teams = await loadTeams({ db }, [...new Set(rows.flatMap(({ teamId }) => teamId ?? []))]);
  const hasStaleApproval = rows.some((row) => row.kind === "approve" && !row.isDismissed && isStale(row, pull));
  const rule = hasStaleApproval ? await findBranchRule(db, repository.id, pull.baseBranch) : undefined;
  const dismissesStale = rule?.settings.dismissesStaleApprovals === true;
  return rows.map((row) => {
    const stale = isStale(row, pull);
    return {
      ...row,
      place: placeOf(repository, pull),
      reviewer: row.reviewerId === null ? undefined : users.get(row.reviewerId),
      team: row.teamId === null ? undefined : teams.get(row.teamId)?.team,
      isStale: stale,
      isDismissed: row.isDismissed || (dismissesStale && stale && row.kind === "approve"),
    };
  });
}

/** Comments of reviews with their authors and resolvers, without the lines of files for readers without access to code. One statement. */
export async function loadCommentViews(
  { db }: { readonly db: Reader },
  place: PullLocation & { readonly repository: RepositorySubject },
  rows: readonly ReviewCommentRow[],
  present: readonly (PresentLines | undefined)[],
): Promise<readonly ReviewCommentView[]> {
  if (rows.length === 0) return [];
  const showsLines = canReadCode(place.repository);
  const users = await loadUsers({ db }, [...new Set(rows.flatMap(({ posterId, resolverId }) => [posterId ?? [], resolverId ?? []].flat()))]);
  return rows.map((row, index) => ({
    ...row,
    hunk: showsLines ? row.hunk : "",
    place,
    poster: row.posterId === null ? undefined : users.get(row.posterId),
    resolver: row.resolverId === null ? undefined : users.get(row.resolverId),
    present: present[index],
  }));
}
