import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { invalid, tooLarge } from "../../../../core/errors.ts";
import type { Sealer } from "../../../../core/sealer.ts";
import { mapInPieces } from "../../../../core/turns.ts";
import { newBlobInTurns } from "../../../../git/objects/hash.ts";
import { writeObjects } from "../../../../git/objects/write.ts";
import type { Oid } from "../../../../git/types.ts";
import { codeStore } from "../../branches/service/deps.ts";
import { requireRoomFor } from "../../repos/service/sizes.ts";
import type { CommitInput } from "../file-change.ts";
import { type ChangeDeps, commitChange, type MadeChange } from "./change.ts";
import { cleanPath, planChange, planTree } from "./tree-plan.ts";

export type UploadDeps = ChangeDeps & { readonly sealer: Sealer };

/** An uploaded file, written as an object that no ref reaches yet. */
export interface StagedFile {
  readonly name: string;
  readonly oid: Oid;
  readonly sizeBytes: number;
}

/** Uploaded files that wait for their commit. */
export interface Staged {
  readonly files: readonly StagedFile[];
  /** Bytes added to the store for them. */
  readonly storedBytes: number;
}

/** Shorter than the two weeks for which unreachable objects are kept. */
const keptMs = 7 * 86_400_000;
const maxStagedFiles = 200;

/**
 * Writes files as objects, so that they need not be uploaded again if the commit is rejected. A file replaces an earlier one of the same name.
 * @throws ForgeError `too_large` for a file over the size limit or the owner's quota; `invalid` for too many files
 */
export async function stageFiles(
  deps: UploadDeps,
  repository: RepositorySubject,
  before: Staged,
  files: readonly { readonly name: string; readonly content: Buffer }[],
): Promise<Staged> {
  const maxBytes = deps.config.repositories.max_file_bytes;
  const tooLong = files.find(({ content }) => content.length > maxBytes);
  if (tooLong !== undefined)
    throw tooLarge(`the file exceeds the limit of ${maxBytes} bytes [path: ${tooLong.name}]`, { reason: { code: "file_too_large", maxBytes } });
  const blobs = await mapInPieces(files, ({ content }) => newBlobInTurns(repository.objectFormat, content));
  await requireRoomFor(deps, repository.ownerId, blobs);
  const { sizeBytes } = await writeObjects(codeStore(deps, repository), blobs);
  // The commit may be a request to another node.
  await deps.git.shared.packs.list(repository.codeStoreId);
  const fresh = files.map(({ name, content }, at): [string, StagedFile] => [name, { name, oid: blobs[at]?.oid ?? "", sizeBytes: content.length }]);
  const all = new Map([...before.files.map((file): [string, StagedFile] => [file.name, file]), ...fresh]);
  if (all.size > maxStagedFiles) throw invalid(`a commit can have at most ${maxStagedFiles} uploaded files`, { reason: "too_many_files" });
  return { files: [...all.values()], storedBytes: before.storedBytes + sizeBytes };
}

const purposeOf = (actor: UserActor, repository: RepositorySubject): string => `uploaded files of ${actor.id} in store ${repository.codeStoreId}`;

/** A sealed list of staged files. Only its own user can use it, so users cannot refer to objects that they did not upload. */
export const sealStaged = ({ sealer, clock }: UploadDeps, actor: UserActor, repository: RepositorySubject, staged: Staged): string =>
  staged.files.length === 0 ? "" : sealer.seal(purposeOf(actor, repository), JSON.stringify({ ...staged, untilMs: clock.now() + keptMs }));

/** Opens a sealed list; empty if it has expired or belongs to another user. */
export function openStaged({ sealer, clock }: UploadDeps, actor: UserActor, repository: RepositorySubject, sealed: string): Staged {
  const text = sealed === "" ? undefined : sealer.open(purposeOf(actor, repository), sealed);
  if (text === undefined) return nothingStaged;
  const { untilMs, ...staged } = JSON.parse(text) as Staged & { readonly untilMs: number };
  return untilMs < clock.now() ? nothingStaged : staged;
}

const nothingStaged: Staged = { files: [], storedBytes: 0 };

/**
 * Commits staged files to a folder of a branch, replacing existing files.
 * @param folder empty for the root; created if missing
 * @throws ForgeError as `changeFiles`; `invalid` without files
 */
export function commitStaged(
  deps: UploadDeps,
  actor: UserActor,
  repository: RepositorySubject,
  { commit, folder, staged }: { readonly commit: CommitInput; readonly folder: string; readonly staged: Staged },
): Promise<MadeChange> {
  if (staged.files.length === 0) throw invalid("[Files]: Required", { reason: "required" });
  const below = cleanPath(folder);
  const changes = staged.files.map(({ name, oid }) =>
    planChange({ operation: "upload", path: below === "" ? name : `${below}/${name}`, content: "", sha: "", fromPath: "" }, { oid }),
  );
  return commitChange(deps, actor, repository, {
    commit,
    storedBytes: staged.storedBytes,
    plan: async (store, base) => ({ steps: (await planTree(store, base?.treeOid, changes)).steps, blobs: [] }),
  });
}
