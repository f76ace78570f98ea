import type { Tx } from "../../../../db/db.ts";
import { moveStoreRefs } from "../../../repositories/refs/service/move.ts";
import type { TipDetails } from "../../../repositories/refs/service/tips.ts";
import { type ImportedPullRow, insertImportedPulls, setHeadRepository } from "../store/import.ts";
import { headRefOf } from "./heads.ts";

/** Data of an imported pull request besides its issue row. */
export interface ImportedPull extends Omit<ImportedPullRow, "issueId" | "repoId" | "headRepoId"> {
  readonly number: number;
  /** Whether its head is or was a branch of the repository itself. */
  readonly isOfRepository: boolean;
  /** The commit of its head. */
  readonly tip: TipDetails;
}

export interface ImportedPulls {
  readonly repoId: number;
  /** Store with the heads. */
  readonly storeId: number;
  readonly pulls: readonly (ImportedPull & { readonly issueId: number })[];
}

const batch = 100;

/**
 * Inserts imported pull requests in the transaction that creates the repository, after their issues. `refs/pull/{index}/head` points to
 * their heads.
 */
export async function importPulls(tx: Tx, { repoId, storeId, pulls }: ImportedPulls): Promise<void> {
  for (let at = 0; at < pulls.length; at += batch) {
    const part = pulls.slice(at, at + batch);
    await insertImportedPulls(
      tx,
      part.map(({ isOfRepository, ...pull }) => ({ ...pull, repoId, headRepoId: isOfRepository ? repoId : null })),
    );
  }
  const heads = pulls.map(({ number, headOid, tip }) => ({ name: headRefOf(number), oldOid: null, newOid: headOid, ...tip }));
  if (heads.length > 0) await moveStoreRefs(tx, storeId, heads, "all");
}

/** Links pull requests to head repositories that were imported after them. */
export async function linkHeads(tx: Tx, heads: readonly { readonly pullId: number; readonly headRepoId: number }[]): Promise<void> {
  for (const { pullId, headRepoId } of heads) await setHeadRepository(tx, pullId, headRepoId);
}
