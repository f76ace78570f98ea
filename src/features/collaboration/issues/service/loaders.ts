import type { Reader } from "../../../../db/db.ts";
import type { LacksAccounts, UserView } from "../../../accounts/users/model.ts";
import { loadUsers } from "../../../accounts/users/service/accounts.ts";
import { labelsByIds } from "../../labels/service/resolve.ts";
import { milestonesByIds } from "../../milestones/service.ts";
import { loadCommentAttachments, loadIssueAttachments } from "../conversation/store/attachments.ts";
import { loadCommentRows } from "../conversation/store/comments.ts";
import type { CommentRow, CommentView, IssueLocation, IssueRow, IssueView } from "../model.ts";
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
export async function prepareIssueViews({ db }: ViewDeps, rows: readonly IssueRow[], places: IssueLocations): Promise<LacksAccounts<IssueView[]>> {
  const [labels, milestones, attachments] = await Promise.all([
    labelsByIds(db, [...new Set(rows.flatMap((row) => row.labelIds))]),
    milestonesByIds(db, [...new Set(rows.flatMap((row) => row.milestoneId ?? []))]),
    loadIssueAttachments(
      db,
      rows.flatMap((row) => (row.attachmentsCount > 0 ? row.id : [])),
    ),
  ]);
  const viewOf = (row: IssueRow, users: ReadonlyMap<number, UserView>): IssueView | undefined => {
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
  return { accountIds: userIdsOf(rows), complete: (users) => rows.flatMap((row) => viewOf(row, users) ?? []) };
}

const userIdsOf = (rows: readonly IssueRow[]): number[] =>
  rows.flatMap((row) => (row.posterId === null ? row.assigneeIds : [row.posterId, ...row.assigneeIds]));

const byName = (a: { readonly name: string; readonly id: number }, b: { readonly name: string; readonly id: number }): number =>
  a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id;

/** The same by id, in the order of `ids`. */
export async function loadIssuesInOrder(deps: ViewDeps, ids: readonly number[], places: IssueLocations): Promise<IssueView[]> {
  const rows = await loadIssueRows(deps.db, ids);
  return loadIssueViews(
    deps,
    ids.flatMap((id) => rows.get(id) ?? []),
    places,
  );
}

/** Comments by id, in the order of `ids`; leaves out deleted ones. */
export async function loadCommentsInOrder(deps: ViewDeps, ids: readonly number[], places: IssueLocations): Promise<CommentView[]> {
  const rows = await loadCommentRows(deps.db, ids);
  return loadCommentViews(
    deps,
    ids.flatMap((id) => rows.get(id) ?? []),
    places,
  );
}

/** Comments with everything that responses include, in the order of `rows`. Two statements. */
export async function loadCommentViews({ db }: ViewDeps, rows: readonly CommentRow[], places: IssueLocations): Promise<CommentView[]> {
  if (rows.length === 0) return [];
  const [users, attachments] = await Promise.all([
    loadUsers(
      { db },
      rows.flatMap((row) => row.posterId ?? []),
    ),
    loadCommentAttachments(
      db,
      rows.map((row) => row.id),
    ),
  ]);
  return rows.flatMap((row) => {
    const place = places.get(row.repoId);
    if (place === undefined) return [];
    return { ...row, place, poster: row.posterId === null ? undefined : users.get(row.posterId), attachments: attachments.get(row.id) ?? [] };
  });
}
