import type { RepositorySubject } from "../../../../access/subjects.ts";
import { refused } from "../../../../core/errors.ts";
import { isListable } from "../../../../git/history/diff-size.ts";
import type { Commit, Oid } from "../../../../git/types.ts";
import { type BranchDeps, codeStore } from "../../branches/service/deps.ts";
import type { FilesPiece } from "../file-piece.ts";
import { type PieceDeps, type PieceQuery, readPiece } from "./diff-windows.ts";

/** The requested part of a commit's changes; `parentOid` is the parent to compare with. */
export type CommitInput = Omit<PieceQuery, "store" | "fromOid" | "toOid"> & { readonly parentOid: Oid | undefined };

/** A piece of a commit's changes compared with one of its parents. @throws ForgeError as `readPiece` */
export async function readCommitPiece(
  deps: PieceDeps & Pick<BranchDeps, "git">,
  repository: RepositorySubject,
  { oid, treeOid }: Commit,
  { parentOid, ...input }: CommitInput,
): Promise<FilesPiece> {
  const store = codeStore(deps, repository);
  const isShown = await isListable(store, { treeOid, parentOids: parentOid === undefined ? [] : [parentOid] });
  if (!isShown) throw refused("the difference is too large to be listed", { reason: "diff_too_large" });
  return readPiece(deps, { ...input, store, fromOid: parentOid, toOid: oid });
}
