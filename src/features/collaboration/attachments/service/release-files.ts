import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { invalid, isForgeError } from "../../../../core/errors.ts";
import type { Tx } from "../../../../db/db.ts";
import type { KnownRelease, NewRelease } from "../../../repositories/releases/model.ts";
import { createRelease, type EditRelease, editRelease } from "../../../repositories/releases/service/change.ts";
import { requireReleaseOfTag } from "../../../repositories/releases/service/find.ts";
import type { ReleaseDeps } from "../../../repositories/releases/service/tag.ts";
import { releaseVersion } from "../../../repositories/releases/version.ts";
import { discardFile } from "../../../site/blobs/service/keep.ts";
import type { Holder, KeptAttachment, TakenFile } from "../model.ts";
import { checkName } from "../names.ts";
import { type AttachmentDeps, hangUpIn, listHeld, releaseLimits, removeIn, renameIn } from "./change.ts";

export type ReleaseFilesDeps = ReleaseDeps & AttachmentDeps;

/** Changes to the files of a release. */
export interface FileEdits {
  /** New names by file id; files without an entry keep their name. */
  readonly names: ReadonlyMap<number, string>;
  readonly removed: ReadonlySet<number>;
  readonly added: readonly TakenFile[];
}

const holderOf = ({ id, repoId }: Pick<KnownRelease, "id" | "repoId">): Holder => ({ repoId, issueId: null, commentId: null, releaseId: id });

/**
 * Creates a release with its files in one transaction. A repeated submission creates nothing more.
 * @returns the release's tag
 * @throws ForgeError as `createRelease`
 */
export async function createReleaseWithFiles(
  deps: ReleaseFilesDeps,
  actor: UserActor,
  repository: RepositorySubject,
  { added, ...input }: NewRelease & Pick<FileEdits, "added">,
): Promise<string> {
  const wishes: FileEdits = { names: new Map(), removed: new Set(), added };
  try {
    const { tagName } = await withFiles(deps, actor, wishes, (alongside) => createRelease(deps, actor, repository, { ...input, alongside }));
    return tagName;
  } catch (error) {
    if (!isForgeError(error, "conflict")) throw error;
    const present = await requireReleaseOfTag(deps, repository, input.tagName);
    const target = present.target === "" ? "" : input.target || repository.defaultBranch;
    if (present.authorId !== actor.id || releaseVersion({ ...present, ...input, target }) !== releaseVersion(present)) throw error;
    return present.tagName;
  }
}

/**
 * Edits a release and its files in one transaction. A file with the same name and content is added only once.
 * @returns the release's tag
 * @throws ForgeError as `editRelease`; `invalid` for an invalid file name, with the field `name_` and the file's id
 */
export async function editReleaseWithFiles(
  deps: ReleaseFilesDeps,
  actor: UserActor,
  repository: RepositorySubject,
  { id, wishes, ...edit }: EditRelease & { readonly id: number; readonly wishes: FileEdits },
): Promise<string> {
  const { endings } = releaseLimits(deps);
  for (const [file, name] of wishes.names) if (!wishes.removed.has(file)) requireName(file, name, endings);
  const { tagName } = await withFiles(deps, actor, wishes, (alongside) => editRelease(deps, actor, repository, id, { ...edit, alongside }));
  return tagName;
}

function requireName(file: number, name: string, endings: readonly string[]): void {
  if (name === "") throw invalid(`[name_${file}]: Required`, { reason: "required" });
  try {
    checkName(name, endings);
  } catch (error) {
    throw isForgeError(error, "invalid") ? invalid(`[name_${file}]: ${error.message}`, { reason: error.reason }) : error;
  }
}

async function withFiles<T>(
  deps: ReleaseFilesDeps,
  actor: UserActor,
  wishes: FileEdits,
  work: (alongside: (tx: Tx, release: KnownRelease) => Promise<void>) => Promise<T>,
): Promise<T> {
  let unneeded: readonly string[] = [];
  const done = await work(async (tx, release) => {
    unneeded = await applyEdits(tx, actor, holderOf(release), wishes);
  });
  for (const file of unneeded) await discardFile(deps, file);
  return done;
}

/** @returns files that have no row after the commit */
async function applyEdits(tx: Tx, actor: UserActor, holder: Holder, { names, removed, added }: FileEdits): Promise<string[]> {
  const unneeded: string[] = [];
  const kept: KeptAttachment[] = [];
  for (const held of await listHeld({ db: tx }, holder)) {
    if (removed.has(held.id)) await removeIn(tx, actor, held);
    else kept.push(await renameIn(tx, actor, held, names.get(held.id)));
  }
  for (const taken of added) {
    const present = kept.find(({ name, digest }) => name === taken.name && digest === taken.digest) ?? (await hangUpIn(tx, actor, holder, taken));
    if (present.file !== taken.file) unneeded.push(taken.file);
    kept.push(present);
  }
  return unneeded;
}
