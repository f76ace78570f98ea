import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { conflict, forbidden, invalid, stale } from "../../../../core/errors.ts";
import { editTree, type TreeChange } from "../../../../git/merge/tree-edit.ts";
import { type MarkedFile, type MarkedMerge, openWorkbench, type Workbench } from "../../../../git/merge/workbench.ts";
import { newBlob, newCommit } from "../../../../git/objects/format.ts";
import { findEntry, readCommit } from "../../../../git/objects/objects.ts";
import { writeObjects } from "../../../../git/objects/write.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { FileMode, GitObject, Oid, TreeEntry } from "../../../../git/types.ts";
import { type RoomDeps, requireRoomFor } from "../../../repositories/repos/service/sizes.ts";
import { type ConflictedFile, type ConflictSide, type Conflicts, hasMarkers } from "../conflicts.ts";
import type { FoundPull } from "../model.ts";
import type { PullDeps, PullViewing } from "./deps.ts";
import { findPull } from "./find.ts";
import { committerOf, findPushableHead, moveHead, storeWithBase } from "./update.ts";

/** A conflict and its location. */
interface Place {
  readonly pull: FoundPull;
  readonly head: RepositorySubject;
  readonly baseOid: Oid;
  readonly headOid: Oid;
}

/** Modes of files. */
type WritableMode = Exclude<FileMode, "040000">;
type ResolvingViewing = PullViewing & { readonly actor: UserActor };

/**
 * @throws ForgeError `not_found`; `invalid` if it is closed or a branch is deleted; `forbidden` for callers who cannot push to the head
 */
async function placeOf(deps: PullDeps, { actor, repository }: ResolvingViewing, number: string): Promise<Place> {
  const pull = await findPull(deps, repository, number);
  const { baseTipOid: baseOid, headTipOid: headOid } = pull;
  if (pull.isClosed) throw invalid("a pull request that is closed or merged has no conflict to resolve", { reason: "pull_closed" });
  if (baseOid === null || headOid === null) throw invalid("a branch of the pull request has been deleted", { reason: "branch_deleted" });
  const head = await findPushableHead(deps, actor, repository, pull);
  if (head === undefined) throw forbidden("you cannot push to the head branch", { reason: "head_branch_read_only" });
  return { pull, head, baseOid, headOid };
}

/**
 * Conflicts between the head of a pull request and its base, for a user who resolves them. One process.
 * @throws ForgeError as {@link placeOf}; `conflict` if there are none anymore
 */
export async function readConflicts(deps: PullDeps, viewing: ResolvingViewing, number: string): Promise<Conflicts> {
  const place = await placeOf(deps, viewing, number);
  const store = await storeWithBase(deps, viewing.repository, place.head, place.baseOid, viewing.signal);
  await using bench = openWorkbench(store, viewing.signal);
  const { files } = await marked(bench, place);
  const { baseOid, headOid, pull } = place;
  const ways = await Promise.all(files.map((file) => wayOf(store, file, place)));
  return {
    baseOid,
    headOid,
    pull,
    files: ways.flatMap((way) => (way.kind === "text" ? { path: way.path, text: way.text } : [])),
    sided: ways.flatMap((way) => (way.kind === "side" ? { path: way.path, isThere: { head: way.head !== undefined, base: way.base !== undefined } } : [])),
    others: ways.flatMap((way) => (way.kind === "elsewhere" ? way.path : [])),
  };
}

/** Resolution of the conflicts that the user saw between two commits. */
export interface Resolution {
  readonly baseOid: Oid;
  readonly headOid: Oid;
  /** By path. */
  readonly texts: ReadonlyMap<string, string>;
  readonly sides: ReadonlyMap<string, ConflictSide>;
}

/**
 * Merges the base into the head with the user's resolutions. The branch moves as by a push, under the rules of its repository.
 * @throws ForgeError as {@link readConflicts}; `invalid` if a file is missing or still has a marker; `stale` if base or head has moved
 */
export async function resolveConflicts(deps: PullDeps & RoomDeps, viewing: ResolvingViewing, number: string, typed: Resolution): Promise<void> {
  const { actor, repository, signal } = viewing;
  const place = await placeOf(deps, viewing, number);
  if (place.baseOid !== typed.baseOid || place.headOid !== typed.headOid) throw moved();
  const { pull, head, baseOid, headOid } = place;
  const store = await storeWithBase(deps, repository, head, baseOid, signal);
  await using bench = openWorkbench(store, signal);
  const merge = await marked(bench, place);
  const ways = await Promise.all(merge.files.map((file) => wayOf(store, file, place)));
  const resolved = ways.map((way) => resolve(store, way, typed));
  const blobs = resolved.flatMap(({ blob }) => blob ?? []);
  await requireRoomFor(deps, head.ownerId, blobs);
  // The tree with markers is stored too, as the base of the resolved tree; the next garbage collection removes it.
  const before = await writeObjects(store, [...bench.objects(), ...blobs]);
  const changes = await Promise.all(resolved.map(({ change }) => takeBack(store, merge.treeOid, change)));
  const { treeOid, objects } = await editTree(store, merge.treeOid, changes.flat());
  const committer = committerOf(deps, actor);
  const message = `Merge branch '${pull.baseBranch}' into ${pull.headBranch}\n`;
  const commit = { treeOid, parentOids: [headOid, baseOid], author: committer, committer, message, isVerbatim: true } as const;
  const made = newCommit(store.format, commit, deps.commitSigner?.sign);
  const after = await writeObjects(store, [...objects, made]);
  const receipt = { sizeBytes: before.sizeBytes + after.sizeBytes };
  if (!(await moveHead(deps, actor, head, store, { pull, headOid, newOid: made.oid, receipt }))) throw moved();
}

const moved = () => stale("base or head has moved meanwhile: look at the current conflicts", { reason: "changed_meanwhile" });

/** The merge of the base into the head. */
async function marked(bench: Workbench, { headOid, baseOid }: Place): Promise<MarkedMerge> {
  const merge = await bench.markConflicts(headOid, baseOid);
  if (merge === undefined) throw conflict("there are no conflicts anymore", { reason: "no_conflicts" });
  return merge;
}

/** A conflict to resolve as text: git's result, with branch names at the markers. Undefined for other files. */
function textOf({ path, found }: MarkedFile, { pull, headOid, baseOid }: Place): ConflictedFile | undefined {
  const text = found?.data.toString("utf8");
  if (found === undefined || text === undefined || text.includes("\0") || !Buffer.from(text, "utf8").equals(found.data)) return undefined;
  const named = text
    .replace(new RegExp(`^<{7} ${headOid}`, "gm"), () => `<<<<<<< ${pull.headBranch}`)
    .replace(new RegExp(`^>{7} ${baseOid}`, "gm"), () => `>>>>>>> ${pull.baseBranch}`);
  return hasMarkers(named) ? { path, text: named } : undefined;
}

/** How to resolve a file here; undefined if a folder takes its place, or git has renamed it. */
type Way =
  | { readonly kind: "text"; readonly path: string; readonly text: string; readonly mode: WritableMode }
  | { readonly kind: "side"; readonly path: string; readonly head: WritableEntry | undefined; readonly base: WritableEntry | undefined }
  | { readonly kind: "elsewhere"; readonly path: string };
type WritableEntry = TreeEntry & { readonly mode: WritableMode };

async function wayOf(store: GitStore, file: MarkedFile, place: Place): Promise<Way> {
  const { path } = file;
  const text = textOf(file, place);
  if (text !== undefined && file.found !== undefined) return { kind: "text", ...text, mode: file.found.mode as WritableMode };
  const [head, base] = await Promise.all([place.headOid, place.baseOid].map((oid) => entryIn(store, oid, path)));
  if (head === undefined && base === undefined) return { kind: "elsewhere", path };
  return isWritable(head) && isWritable(base) ? { kind: "side", path, head, base } : { kind: "elsewhere", path };
}

const isWritable = (entry: TreeEntry | undefined): entry is WritableEntry | undefined => entry?.mode !== "040000";

async function entryIn(store: GitStore, oid: Oid, path: string): Promise<TreeEntry | undefined> {
  const commit = await readCommit(store, oid);
  return commit && findEntry(store, commit.treeOid, path);
}

interface Resolved {
  readonly change: TreeChange;
  /** Set if it is new. */
  readonly blob?: GitObject;
}

/** The resolved file, as entered or chosen. Keeps its line endings. */
function resolve(store: GitStore, way: Way, { texts, sides }: Resolution): Resolved {
  const { path } = way;
  if (way.kind === "elsewhere") throw invalid(`this file cannot be resolved here [path: ${path}]`, { reason: "conflict_elsewhere" });
  if (way.kind === "side") {
    const side = sides.get(path);
    if (side === undefined) throw invalid(`choose a version of this file [path: ${path}]`, { reason: "version_missing", field: path });
    const entry = way[side];
    return { change: entry === undefined ? { kind: "remove", path } : { kind: "put", path, mode: entry.mode, oid: entry.oid } };
  }
  const text = texts.get(path);
  if (text === undefined) throw invalid(`this file has a conflict too [path: ${path}]`, { reason: "version_missing", field: path });
  if (hasMarkers(text)) throw invalid(`this file still has conflict markers [path: ${path}]`, { reason: "markers_left", field: path });
  const endsAsOnWindows = way.text.includes("\r\n") && !/(?<!\r)\n/.test(way.text);
  const blob = newBlob(store.format, Buffer.from(endsAsOnWindows ? text.replaceAll("\n", "\r\n") : text, "utf8"));
  return { change: { kind: "put", path, mode: way.mode, oid: blob.oid }, blob };
}

/** Git may already have removed the path. */
const takeBack = async (store: GitStore, treeOid: Oid, change: TreeChange): Promise<readonly TreeChange[]> =>
  change.kind === "put" || (await findEntry(store, treeOid, change.path)) !== undefined ? [change] : [];
