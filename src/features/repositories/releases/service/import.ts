import type { Tx } from "../../../../db/db.ts";
import { addToReleasesCount } from "../../repos/service/counters.ts";
import type { ReleaseInput } from "../model.ts";
import { insertRelease } from "../store/releases.ts";

/** Imports releases into a new repository; their authors have no accounts here. @returns their ids, in the same order */
export async function importReleases(
  tx: Tx,
  repoId: number,
  releases: readonly (Omit<ReleaseInput, "repoId" | "authorId"> & { readonly author: { readonly name: string; readonly id: number } })[],
): Promise<readonly number[]> {
  const ids: number[] = [];
  for (const { author, ...rest } of releases) ids.push(await insertRelease(tx, { ...rest, repoId, authorId: null }, author));
  const published = releases.filter(({ isDraft }) => !isDraft).length;
  if (published > 0) await addToReleasesCount(tx, repoId, published);
  return ids;
}
