import { type Actor, isUser } from "../../../access/actor.ts";
import { atLeast } from "../../../access/repository.ts";
import type { RepositorySubject } from "../../../access/subjects.ts";

type Judged = Pick<RepositorySubject, "right">;

/** Drafts are for those who write releases. */
export const writesReleases = ({ right }: Judged): boolean => atLeast(right.unit("repo.releases"), "write");

/** Where releases are switched off they stay readable to who administers the repository. */
export const readsRelease = (repository: Judged, { isDraft }: { readonly isDraft: boolean }): boolean =>
  isDraft ? writesReleases(repository) : atLeast(repository.right.unit("repo.releases"), "read") || atLeast(repository.right.mode, "admin");

/** Who makes and changes releases in a browser. */
export const editsReleases = (actor: Actor, repository: Pick<RepositorySubject, "right" | "isArchived" | "isEmpty">): boolean =>
  isUser(actor) && !repository.isArchived && !repository.isEmpty && writesReleases(repository);
