import { atLeast } from "../../../access/repository.ts";
import type { RepositoryView } from "./model.ts";

const nameOf = ({ owner, name }: RepositoryView) => ({ ownerName: owner.name, name });

/** The data for the header of every repository page (`ui/repository-page.ts`). */
export const repositoryHeader = (view: RepositoryView) => ({
  ...nameOf(view),
  isPrivate: view.isPrivate,
  isArchived: view.isArchived,
  isTemplate: view.isTemplate,
  isMirror: view.isMirror,
  parent: view.parent && nameOf(view.parent),
  showsIssues: atLeast(view.right.unit("repo.issues"), "read"),
  openIssuesCount: view.openIssuesCount,
  showsPulls: atLeast(view.right.unit("repo.pulls"), "read"),
  openPullsCount: view.openPullsCount,
  showsActions: atLeast(view.right.unit("repo.actions"), "read"),
  showsReleases: atLeast(view.right.unit("repo.releases"), "read"),
  releasesCount: view.releasesCount,
  showsWiki: atLeast(view.right.unit("repo.wiki"), "read"),
  starsCount: view.starsCount,
  forksCount: view.forksCount,
  watchersCount: view.watchersCount,
  isStarred: view.isStarred,
  watching: view.watching,
  isEmpty: view.isEmpty,
  offeredTo: view.transfer?.recipient?.name,
  showsSettings: atLeast(view.right.mode, "admin"),
});
