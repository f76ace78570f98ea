import { type Actor, isUser } from "../../../access/actor.ts";
import { atLeast } from "../../../access/repository.ts";
import type { RepositorySubject } from "../../../access/subjects.ts";

type Checked = Pick<RepositorySubject, "right">;

/** Drafts are visible to writers of releases only. */
export const writesReleases = ({ right }: Checked): boolean => atLeast(right.unit("repo.releases"), "write");

/** Repository administrators can read releases even if the unit is disabled. */
export const readsRelease = (repository: Checked, { isDraft }: { readonly isDraft: boolean }): boolean =>
  isDraft ? writesReleases(repository) : atLeast(repository.right.unit("repo.releases"), "read") || atLeast(repository.right.mode, "admin");

/** Whether the actor can create and edit releases in the browser. */
export const editsReleases = (actor: Actor, repository: Pick<RepositorySubject, "right" | "isArchived" | "isEmpty">): boolean =>
  isUser(actor) && !repository.isArchived && !repository.isEmpty && writesReleases(repository);
