import type { Actor } from "../../../../../access/actor.ts";
import { atLeast } from "../../../../../access/repository.ts";
import type { RepositorySubject } from "../../../../../access/subjects.ts";
import type { Page, Paged } from "../../../../../core/paging.ts";
import type { Reader } from "../../../../../db/db.ts";
import { loadUsers } from "../../../../accounts/users/service/accounts.ts";
import { loadTeams } from "../../../../organizations/teams/service/load.ts";
import { findRepositoriesById, readableNames } from "../../../../repositories/repos/service/find.ts";
import { labelsByIds } from "../../../labels/service/resolve.ts";
import { milestonesByIds } from "../../../milestones/service.ts";
import type { CommentRow, IssueView, TimelineView } from "../../model.ts";
import { loadReadableIssues } from "../../search/service/readable-issues.ts";
import { requireIssue } from "../../service/find.ts";
import { loadCommentViews, loadIssueViews } from "../../service/loaders.ts";
import { loadTimes } from "../../times/store.ts";
import { loadCommentRows, pageTimeline, type UpdatedRange } from "../store/comments.ts";

/**
 * A page of an issue's timeline, oldest first. The number of statements does not depend on the page size.
 * Leaves out references from issues that the caller cannot read, and commits of repositories whose code they cannot read: the entry shows
 * the message.
 * @returns the number of shown entries as the total
 * @throws ForgeError `not_found`
 */
export async function listTimeline(
  deps: { readonly db: Reader },
  actor: Actor,
  repository: RepositorySubject,
  number: string,
  range: UpdatedRange,
  page: Page,
): Promise<Paged<TimelineView>> {
  const { db } = deps;
  const issue = await requireIssue(deps, repository, number);
  const rows = await withReadableCommits(deps, actor, repository, await pageTimeline(db, issue.id, range, page));
  const idsOf = (pick: (row: CommentRow) => readonly (number | null | undefined)[]): number[] => [
    ...new Set(rows.flatMap((row) => pick(row).flatMap((id) => id ?? []))),
  ];
  const [users, labels, milestones, times] = await Promise.all([
    loadUsers(
      deps,
      idsOf(({ posterId, payload }) => [posterId, payload.assigneeId]),
    ),
    labelsByIds(
      db,
      idsOf(({ payload }) => [payload.labelId]),
    ),
    milestonesByIds(
      db,
      idsOf(({ payload }) => [payload.milestoneId, payload.oldMilestoneId]),
    ),
    loadTimes(
      db,
      idsOf(({ payload }) => [payload.timeId]),
    ),
  ]);
  const teams = await loadTeams(
    deps,
    idsOf(({ payload }) => [payload.teamId]),
  );
  const others = await loadReadableIssues(
    deps,
    actor,
    repository,
    idsOf(({ refIssueId, payload }) => [refIssueId, payload.dependencyId]),
  );
  const issues = new Map(others.map((view) => [view.id, view]));
  const formerIds = idsOf(({ payload }) => [payload.formerRepoId]);
  const formerNames = formerIds.length === 0 ? new Map<number, string>() : await readableNames(deps, actor, formerIds);
  const comments = await loadRefComments(
    db,
    idsOf(({ refCommentId }) => [refCommentId]),
    issues,
  );
  const [self] = times.size > 0 ? await loadIssueViews(deps, [issue], new Map([[repository.id, repository]])) : [];

  const items = rows.flatMap((row): TimelineView | [] => {
    const { payload } = row;
    const of = <V>(views: ReadonlyMap<number, V>, id: number | null | undefined): V | undefined =>
      id === null || id === undefined ? undefined : views.get(id);
    const refIssue = of(issues, row.refIssueId);
    if (row.refIssueId !== null && refIssue === undefined) return [];
    const time = of(times, payload.timeId);
    return {
      ...row,
      place: repository,
      poster: of(users, row.posterId),
      label: of(labels, payload.labelId),
      milestone: of(milestones, payload.milestoneId),
      oldMilestone: of(milestones, payload.oldMilestoneId),
      assignee: of(users, payload.assigneeId),
      assigneeTeam: of(teams, payload.teamId),
      dependentIssue: of(issues, payload.dependencyId),
      refIssue,
      refComment: of(comments, row.refCommentId),
      formerRepository: of(formerNames, payload.formerRepoId),
      trackedTime: time === undefined || time.isDeleted ? undefined : { ...time, issue: self },
    };
  });
  return { items, total: items.length };
}

/**
 * Removes commits of repositories whose code the caller cannot read. Older entries do not name the repository of their commit: those that link to another
 * repository than the issue's are removed too. One statement if there are commits of other repositories.
 */
async function withReadableCommits(
  deps: { readonly db: Reader },
  actor: Actor,
  repository: RepositorySubject,
  rows: readonly CommentRow[],
): Promise<readonly CommentRow[]> {
  const links = `<a href="/${repository.fullName}/commit/`.toLowerCase();
  const locationOf = ({ payload, content }: CommentRow): number | undefined =>
    payload.commitRepoId ?? (content.toLowerCase().startsWith(links) ? repository.id : undefined);
  const commits = rows.filter(({ kind }) => kind === "commit_ref");
  const others = [...new Set(commits.flatMap((row) => locationOf(row) ?? []))].filter((id) => id !== repository.id);
  const subjects = new Map([[repository.id, repository], ...(others.length === 0 ? [] : await findRepositoriesById(deps, others, actor))]);
  const readsCode = (id: number | undefined): boolean => id !== undefined && atLeast(subjects.get(id)?.right.unit("repo.code") ?? "none", "read");
  return rows.filter((row) => row.kind !== "commit_ref" || readsCode(locationOf(row)));
}

async function loadRefComments(db: Reader, ids: readonly number[], issues: ReadonlyMap<number, IssueView>) {
  const rows = await loadCommentRows(db, ids);
  const places = new Map([...issues.values()].map(({ place }) => [place.id, place]));
  const views = await loadCommentViews(
    { db },
    [...rows.values()].filter(({ issue }) => issues.has(issue.id)),
    places,
  );
  return new Map(views.map((view) => [view.id, view]));
}
