import type { RepositorySubject } from "../../../../access/subjects.ts";
import { notFound } from "../../../../core/errors.ts";
import { hiddenPrefix } from "../../refs/model.ts";
import { allRefs } from "../../refs/service/read.ts";
import type { ReferenceView } from "../model.ts";
import type { BranchDeps } from "./deps.ts";

/**
 * All refs whose names begin with `refs/` and `start`, by name. One statement; no object is read.
 * @throws ForgeError `not_found` if no ref matches
 */
export async function listReferences(deps: Pick<BranchDeps, "db">, repository: RepositorySubject, start: string): Promise<readonly ReferenceView[]> {
  const refs = await allRefs(deps.db, repository.codeStoreId, `refs/${start}`);
  const shown = refs.filter(({ name }) => !name.startsWith(hiddenPrefix));
  if (shown.length === 0) throw notFound();
  return shown;
}
