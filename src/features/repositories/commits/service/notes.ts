import type { RepositorySubject } from "../../../../access/subjects.ts";
import { notFound } from "../../../../core/errors.ts";
import { type Note, readNote } from "../../../../git/history/notes.ts";
import { readCommit } from "../../../../git/objects/objects.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Commit, Oid } from "../../../../git/types.ts";
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
  const found = await findNote(deps, store, commit.oid);
  // @compat the message names the commit, which exists (commits/api.test.ts)
  if (found === undefined) throw notFound(`commit doesn't exist: ${rev}`);
  const { note, tip } = found;
  const writtenBy = (await lastCommitOfPath(deps, { store, tipOid: tip.oid, signal: viewing.signal }, note.path)) ?? tip.oid;
  const [view] = await viewCommits(deps, viewing, await requireCommits(store, [writtenBy]));
  return { message: note.data.toString("utf8"), commit: view as CommitView };
}

async function findNote({ db }: Pick<CommitDeps, "db">, store: GitStore, oid: Oid): Promise<{ readonly note: Note; readonly tip: Commit } | undefined> {
  const ref = await findRef(db, store.id, notesRef);
  const tip = ref && (await readCommit(store, ref.oid));
  const note = tip && (await readNote(store, tip.treeOid, oid));
  return tip && note && { note, tip };
}

/** The text of a commit's note; undefined if it has none. One statement and no process. */
export async function readNoteText(deps: Pick<CommitDeps, "db" | "git">, repository: RepositorySubject, oid: Oid): Promise<string | undefined> {
  return (await findNote(deps, codeStore(deps, repository), oid))?.note.data.toString("utf8");
}
