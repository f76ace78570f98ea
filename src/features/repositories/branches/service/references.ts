import type { RepositorySubject } from "../../../../access/subjects.ts";
import { notFound } from "../../../../core/errors.ts";
import { countSliced, type RefSlices } from "../../../../git/send/ref-slices.ts";
import type { RefListings } from "../../refs/service/listings.ts";
import type { ReferenceView } from "../model.ts";

export interface ReferenceList {
  readonly slices: RefSlices<ReferenceView>;
  readonly total: number;
}

/**
 * All refs whose names begin with `refs/` and `start`, by name. One statement for up to 5,000 refs, and for repeated lists; no object is read.
 * @throws ForgeError `not_found` if no ref matches
 */
export async function listReferences(
  { refListings }: { readonly refListings: RefListings },
  { codeStoreId }: Pick<RepositorySubject, "codeStoreId">,
  start: string,
): Promise<ReferenceList> {
  const slices = await refListings.readBelow(codeStoreId, `refs/${start}`);
  if (slices.length === 0) throw notFound();
  return { slices, total: countSliced(slices) };
}
