import { notFound } from "../../../../core/errors.ts";
import { readNote } from "../../../../git/history/notes.ts";
import { readCommit } from "../../../../git/objects/objects.ts";
import { codeStore } from "../../branches/service/deps.ts";
import { findRef } from "../../refs/service/read.ts";
import type { CommitView, NoteView } from "../model.ts";
import { lookUpCommit } from "./commit.ts";
import { lastCommitOfPath } from "./last-commits.ts";
import { type CommitDeps, requireCommits, type Viewing, viewCommits } from "./loaders.ts";

/** The default notes ref of `git notes`. */
const notesRef = "refs/notes/commits";

/** The note of a commit. @throws ForgeError `invalid` for an invalid name, `not_found` */
export async function getNote(deps: CommitDeps, viewing: Viewing, rev: string): Promise<NoteView> {
  const store = codeStore(deps, viewing.repository);
  const commit = await lookUpCommit(deps, store, rev);
  if (commit === undefined) throw notFound("not found", { details: [`object does not exist [id: ${rev}, rel_path: ]`] });
  const ref = await findRef(deps.db, store.id, notesRef);
  const tip = ref && (await readCommit(store, ref.oid));
  const note = tip && (await readNote(store, tip.treeOid, commit.oid));
  // @compat the message names the commit, which exists (commits/api.test.ts)
  if (tip === undefined || note === undefined) throw notFound(`commit doesn't exist: ${rev}`);
  const writtenBy = (await lastCommitOfPath(deps, { store, tipOid: tip.oid, signal: viewing.signal }, note.path)) ?? tip.oid;
  const [view] = await viewCommits(deps, viewing, await requireCommits(store, [writtenBy]));
  return { message: note.data.toString("utf8"), commit: view as CommitView };
}
