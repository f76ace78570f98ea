import type { UserActor } from "../../../access/actor.ts";
import type { RepositorySubject } from "../../../access/subjects.ts";
import { conflict, forbidden, invalid, stale } from "../../../core/errors.ts";
import { newBlob, newCommit } from "../../../git/format.ts";
import { editTree } from "../../../git/tree-edit.ts";
import type { FileMode, Oid } from "../../../git/types.ts";
import { type MarkedFile, type MarkedMerge, openWorkbench, type Workbench } from "../../../git/workbench.ts";
import { writeObjects } from "../../../git/write.ts";
import { type RoomDeps, requireRoomFor } from "../../repos/service/sizes.ts";
import { type ConflictedFile, type Conflicts, hasMarkers } from "../conflicts.ts";
import type { FoundPull } from "../view.ts";
import type { PullDeps, PullViewing } from "./deps.ts";
import { findPull } from "./find.ts";
import { committerOf, findPushableHead, moveHead, storeWithBase } from "./update.ts";

/** A conflict, and where it is resolved. */
interface Place {
  readonly pull: FoundPull;
  readonly head: RepositorySubject;
  readonly baseOid: Oid;
  readonly headOid: Oid;
}

/** Of files. */
type WritableMode = Exclude<FileMode, "040000">;
type ResolvingViewing = PullViewing & { readonly actor: UserActor };

/** @throws ForgeError `not_found`; `invalid` for what is closed or has lost a branch; `forbidden` for callers who cannot push to the head */
async function placeOf(deps: PullDeps, { actor, repository }: ResolvingViewing, number: string): Promise<Place> {
  const pull = await findPull(deps, repository, number);
  const { baseTipOid: baseOid, headTipOid: headOid } = pull;
  if (pull.isClosed) throw invalid("a pull request that is closed or merged has no conflict to resolve");
  if (baseOid === null || headOid === null) throw invalid("a branch of the pull request is gone");
  const head = await findPushableHead(deps, actor, repository, pull);
  if (head === undefined) throw forbidden("you cannot push to the head's branch");
  return { pull, head, baseOid, headOid };
}

/**
 * What conflicts between the head of a pull request and its base, for somebody who resolves it. One process.
 * @throws ForgeError as {@link placeOf}; `conflict` where nothing conflicts any more
 */
export async function readConflicts(deps: PullDeps, viewing: ResolvingViewing, number: string): Promise<Conflicts> {
  const place = await placeOf(deps, viewing, number);
  const store = await storeWithBase(deps, viewing.repository, place.head, place.baseOid, viewing.signal);
  await using bench = openWorkbench(store, viewing.signal);
  const { files } = await marked(bench, place);
  const { baseOid, headOid, pull } = place;
  const found = files.map((file) => textOf(file, place));
  return {
    baseOid,
    headOid,
    pull,
    files: found.filter((file) => file !== undefined),
    others: files.filter((_, at) => found[at] === undefined).map(({ path }) => path),
  };
}

/**
 * Merges the base into the head with the conflicts resolved as somebody has typed them. The branch moves as by a push, under the rules of its repository.
 * @throws ForgeError as {@link readConflicts}; `invalid` where a file is missing or still has a marker; `stale` where base or head has moved meanwhile
 */
export async function resolveConflicts(
  deps: PullDeps & RoomDeps,
  viewing: ResolvingViewing,
  number: string,
  typed: { readonly baseOid: Oid; readonly headOid: Oid; readonly texts: ReadonlyMap<string, string> },
): Promise<void> {
  const { actor, repository, signal } = viewing;
  const place = await placeOf(deps, viewing, number);
  if (place.baseOid !== typed.baseOid || place.headOid !== typed.headOid) throw moved();
  const { pull, head, baseOid, headOid } = place;
  const store = await storeWithBase(deps, repository, head, baseOid, signal);
  await using bench = openWorkbench(store, signal);
  const merge = await marked(bench, place);
  const resolved = merge.files.map((file) => resolve(file, place, typed.texts));
  const blobs = resolved.map(({ text }) => newBlob(store.format, Buffer.from(text, "utf8")));
  await requireRoomFor(deps, head.ownerId, blobs);
  // The tree with its markers is stored too: it is what the resolved one is made of, and goes when the store is next swept.
  const before = await writeObjects(store, [...bench.objects(), ...blobs]);
  const { treeOid, objects } = await editTree(
    store,
    merge.treeOid,
    resolved.map(({ path, mode }, at) => ({ kind: "put", path, mode, oid: blobs[at]?.oid ?? "" }) as const),
  );
  const committer = committerOf(deps, actor);
  const message = `Merge branch '${pull.baseBranch}' into ${pull.headBranch}\n`;
  const commit = { treeOid, parentOids: [headOid, baseOid], author: committer, committer, message, isVerbatim: true } as const;
  const made = newCommit(store.format, commit, deps.commitSigner?.sign);
  const after = await writeObjects(store, [...objects, made]);
  const receipt = { sizeBytes: before.sizeBytes + after.sizeBytes };
  if (!(await moveHead(deps, actor, head, store, { pull, headOid, newOid: made.oid, receipt }))) throw moved();
}

const moved = () => stale("base or head has moved meanwhile: look at what conflicts now");

/** The merge of the base into the head. */
async function marked(bench: Workbench, { headOid, baseOid }: Place): Promise<MarkedMerge> {
  const merge = await bench.markConflicts(headOid, baseOid);
  if (merge === undefined) throw conflict("nothing conflicts any more");
  return merge;
}

/** A file that is resolved as a text: what git has marked, with the branches' names at the markers. Undefined: it is none. */
function textOf({ path, found }: MarkedFile, { pull, headOid, baseOid }: Place): ConflictedFile | undefined {
  const text = found?.data.toString("utf8");
  if (found === undefined || text === undefined || text.includes("\0") || !Buffer.from(text, "utf8").equals(found.data)) return undefined;
  const named = text
    .replace(new RegExp(`^<{7} ${headOid}`, "gm"), () => `<<<<<<< ${pull.headBranch}`)
    .replace(new RegExp(`^>{7} ${baseOid}`, "gm"), () => `>>>>>>> ${pull.baseBranch}`);
  return hasMarkers(named) ? { path, text: named } : undefined;
}

/** A file as it was typed. Lines end as they did in it. */
function resolve(
  file: MarkedFile,
  place: Place,
  texts: ReadonlyMap<string, string>,
): { readonly path: string; readonly mode: WritableMode; readonly text: string } {
  const { path, found } = file;
  const before = textOf(file, place);
  const text = texts.get(path);
  if (before === undefined || found === undefined) throw invalid(`this file is not resolved here [path: ${path}]`);
  if (text === undefined) throw invalid(`this file conflicts too [path: ${path}]`);
  if (hasMarkers(text)) throw invalid(`this file still has markers of conflicts [path: ${path}]`);
  const endsAsOnWindows = before.text.includes("\r\n") && !/(?<!\r)\n/.test(before.text);
  return { path, mode: found.mode as WritableMode, text: endsAsOnWindows ? text.replaceAll("\n", "\r\n") : text };
}
