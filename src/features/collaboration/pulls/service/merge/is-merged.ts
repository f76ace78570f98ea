import type { RepositorySubject } from "../../../../../access/subjects.ts";
import { notFound } from "../../../../../core/errors.ts";
import type { Reader } from "../../../../../db/db.ts";
import { findPull } from "../find.ts";

/** @throws ForgeError `not_found` if it is not merged or does not exist */
export async function requireMerged(deps: { readonly db: Reader }, repository: RepositorySubject, number: string): Promise<void> {
  const { merged } = await findPull(deps, repository, number);
  if (merged === null) throw notFound();
}
