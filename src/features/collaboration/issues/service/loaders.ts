import type { Reader } from "../../../../db/db.ts";
import type { LacksAccounts, UserView } from "../../../accounts/users/model.ts";
import { loadUsers } from "../../../accounts/users/service/accounts.ts";
import type { LabelView } from "../../labels/model.ts";
import { labelsByIds } from "../../labels/service/resolve.ts";
import type { MilestoneView } from "../../milestones/model.ts";
import { milestonesByIds } from "../../milestones/service.ts";
import { loadCommentAttachments, loadIssueAttachments } from "../conversation/store/attachments.ts";
import { loadCommentRows } from "../conversation/store/comments.ts";
import type { AttachmentView, CommentRow, CommentView, IssueLocation, IssueRow, IssueView } from "../model.ts";
import { loadIssueRows } from "../store/rows.ts";

interface ViewDeps {
  readonly db: Reader;
}

/** Locations of listed issues, by repository id. */
export type IssueLocations = ReadonlyMap<number, IssueLocation>;

/** Drops all other fields of the repository. */
export const locationOf = ({ id, name, ownerId, ownerName }: IssueLocation): IssueLocation => ({ id, name, ownerId, ownerName });

export const onlyLocation = (repository: IssueLocation): IssueLocations => new Map([[repository.id, locationOf(repository)]]);

/**
 * Loads everything that responses include of issues, in the order of `rows`; leaves out issues without a location.
 * At most four statements for any number of issues: each only if there is something to load.
 */
export async function loadIssueViews(deps: ViewDeps, rows: readonly IssueRow[], places: IssueLocations): Promise<IssueView[]> {
  const [views, users] = await Promise.all([prepareIssueViews(deps, rows, places), loadUsers(deps, userIdsOf(rows))]);
  return views.complete(users);
}

/** The same without the accounts: at most three statements. */
export async function prepareIssueViews(deps: ViewDeps, rows: readonly IssueRow[], places: IssueLocations): Promise<LacksAccounts<IssueView[]>> {
  const details = await loadIssueDetails(deps, rows);
  return { accountIds: userIdsOf(rows), complete: (users) => viewsOf(rows, details, users, places) };
}

/** Records that views of issues include, besides accounts and locations. */
export interface IssueDetails {
  readonly labels: ReadonlyMap<number, LabelView>;
  readonly milestones: ReadonlyMap<number, MilestoneView>;
  readonly attachments: ReadonlyMap<number, readonly AttachmentView[]>;
}

/** At most three statements. */
export async function loadIssueDetails({ db }: ViewDeps, rows: readonly IssueRow[]): Promise<IssueDetails> {
  const [labels, milestones, attachments] = await Promise.all([
    labelsByIds(db, [...new Set(rows.flatMap((row) => row.labelIds))]),
    milestonesByIds(db, [...new Set(rows.flatMap((row) => row.milestoneId ?? []))]),
    loadIssueAttachments(
      db,
      rows.flatMap((row) => (row.attachmentsCount > 0 ? row.id : [])),
    ),
  ]);
  return { labels, milestones, attachments };
}

/** In the order of `rows`; leaves out issues without a location. */
export function viewsOf(
  rows: readonly IssueRow[],
  { labels, milestones, attachments }: IssueDetails,
  users: ReadonlyMap<number, UserView>,
  places: IssueLocations,
): IssueView[] {
  const viewOf = (row: IssueRow): IssueView | undefined => {
    const place = places.get(row.repoId);
    return (
      place && {
        ...row,
        place,
        poster: row.posterId === null ? undefined : users.get(row.posterId),
        milestone: row.milestoneId === null ? undefined : milestones.get(row.milestoneId),
        labels: row.labelIds.flatMap((id) => labels.get(id) ?? []).sort(byName),
        assignees: row.assigneeIds.flatMap((id) => users.get(id) ?? []),
        attachments: attachments.get(row.id) ?? [],
      }
    );
  };
  return rows.flatMap((row) => viewOf(row) ?? []);
}

/** The accounts that views of issues include. */
export const userIdsOf = (rows: readonly IssueRow[]): number[] =>
  rows.flatMap((row) => (row.posterId === null ? row.assigneeIds : [row.posterId, ...row.assigneeIds]));

const byName = (a: { readonly name: string; readonly id: number }, b: { readonly name: string; readonly id: number }): number =>
  a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id;

/** Issues by id, without anything that they refer to, in the order of `ids`. One statement. */
export async function findIssuesInOrder({ db }: ViewDeps, ids: readonly number[]): Promise<readonly IssueRow[]> {
  const rows = await loadIssueRows(db, ids);
  return ids.flatMap((id) => rows.get(id) ?? []);
}

/** Issues by id, in the order of `ids`. */
export async function loadIssuesInOrder(deps: ViewDeps, ids: readonly number[], places: IssueLocations): Promise<IssueView[]> {
  return loadIssueViews(deps, await findIssuesInOrder(deps, ids), places);
}

/** Comments by id, in the order of `ids`; leaves out deleted ones. */
export async function loadCommentsInOrder(deps: ViewDeps, ids: readonly number[], places: IssueLocations): Promise<CommentView[]> {
  return loadCommentViews(deps, await findCommentsInOrder(deps, ids), places);
}

/** The same without anything that they refer to. One statement. */
export async function findCommentsInOrder({ db }: ViewDeps, ids: readonly number[]): Promise<readonly CommentRow[]> {
  const rows = await loadCommentRows(db, ids);
  return ids.flatMap((id) => rows.get(id) ?? []);
}

/** Comments with everything that responses include, in the order of `rows`. Two statements. */
export async function loadCommentViews(deps: ViewDeps, rows: readonly CommentRow[], places: IssueLocations): Promise<CommentView[]> {
  const [attachments, users] = await Promise.all([loadFilesOfComments(deps, rows), loadUsers(deps, posterIdsOf(rows))]);
  return commentViewsOf(rows, attachments, users, places);
}

/** The accounts that views of comments include. */
export const posterIdsOf = (rows: readonly CommentRow[]): number[] => rows.flatMap(({ posterId }) => posterId ?? []);

type FilesOfComments = ReadonlyMap<number, readonly AttachmentView[]>;

/** The files of comments, by their ids. One statement. */
export const loadFilesOfComments = ({ db }: ViewDeps, rows: readonly CommentRow[]): Promise<FilesOfComments> =>
  loadCommentAttachments(
    db,
    rows.map(({ id }) => id),
  );

/** In the order of `rows`; leaves out comments without a location. */
export const commentViewsOf = (
  rows: readonly CommentRow[],
  attachments: FilesOfComments,
  users: ReadonlyMap<number, UserView>,
  places: IssueLocations,
): CommentView[] =>
  rows.flatMap((row) => {
    const place = places.get(row.repoId);
    if (place === undefined) return [];
    return { ...row, place, poster: row.posterId === null ? undefined : users.get(row.posterId), attachments: attachments.get(row.id) ?? [] };
  });
