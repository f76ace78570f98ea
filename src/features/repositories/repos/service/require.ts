import { atLeast } from "../../../../access/repository.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { forbidden } from "../../../../core/errors.ts";

/** @throws ForgeError `forbidden` for callers without admin permission */
export function requireRepositoryAdmin({ right }: Pick<RepositorySubject, "right">): void {
  if (!atLeast(right.mode, "admin")) throw forbidden("user should be an owner or a collaborator with admin write of a repository");
}

/** @throws ForgeError `forbidden` for callers who do not own the repository */
export function requireRepositoryOwner({ right }: Pick<RepositorySubject, "right">): void {
  if (!atLeast(right.mode, "owner")) throw forbidden("user should be the owner of the repo");
}
