import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { invalid, tooLarge } from "../../../../core/errors.ts";
import type { Sealer } from "../../../../core/sealer.ts";
import { newBlob } from "../../../../git/objects/format.ts";
import { writeObjects } from "../../../../git/objects/write.ts";
import type { Oid } from "../../../../git/types.ts";
import { codeStore } from "../../branches/service/deps.ts";
import { requireRoomFor } from "../../repos/service/sizes.ts";
import type { CommitInput } from "../file-change.ts";
import { type ChangeDeps, commitChange, type MadeChange } from "./change.ts";
import { cleanPath, planChange, planTree } from "./tree-plan.ts";

export type UploadDeps = ChangeDeps & { readonly sealer: Sealer };

/** A file that came and is an object of the repository, which nothing points to yet. */
export interface StagedFile {
  readonly name: string;
  readonly oid: Oid;
  readonly sizeBytes: number;
}

/** Files that came, by now or before, and wait for their commit. */
export interface Staged {
  readonly files: readonly StagedFile[];
  /** By what the store has grown for them. */
  readonly storedBytes: number;
}

/** Objects that nothing points to are kept for two weeks; who comes back later brings his files again. */
const keptMs = 7 * 86_400_000;
const maxStagedFiles = 200;

/**
 * Writes files as objects, so that a commit that is refused need not bring them again. One with the name of another takes its place.
 * @throws ForgeError `too_large` for a file over the limit, or more than the owner has room for; `invalid` for more files than one commit takes here
 */
export async function stageFiles(
  deps: UploadDeps,
  repository: RepositorySubject,
  before: Staged,
  files: readonly { readonly name: string; readonly content: Buffer }[],
): Promise<Staged> {
  const maxBytes = deps.config.repositories.max_file_bytes;
  const tooLong = files.find(({ content }) => content.length > maxBytes);
  if (tooLong !== undefined) throw tooLarge(`the file is larger than the ${maxBytes} bytes taken here [path: ${tooLong.name}]`);
  const blobs = files.map(({ content }) => newBlob(repository.objectFormat, content));
  await requireRoomFor(deps, repository.ownerId, blobs);
  const { sizeBytes } = await writeObjects(codeStore(deps, repository), blobs);
  const fresh = files.map(({ name, content }, at): [string, StagedFile] => [name, { name, oid: blobs[at]?.oid ?? "", sizeBytes: content.length }]);
  const all = new Map([...before.files.map((file): [string, StagedFile] => [file.name, file]), ...fresh]);
  if (all.size > maxStagedFiles) throw invalid(`one commit takes ${maxStagedFiles} files at most here`);
  return { files: [...all.values()], storedBytes: before.storedBytes + sizeBytes };
}

const purposeOf = (actor: UserActor, repository: RepositorySubject): string => `uploaded files of ${actor.id} in store ${repository.codeStoreId}`;

/** A text by which its own caller names files that came before: nobody can name an object that he did not bring. */
export const sealStaged = ({ sealer, clock }: UploadDeps, actor: UserActor, repository: RepositorySubject, staged: Staged): string =>
  staged.files.length === 0 ? "" : sealer.seal(purposeOf(actor, repository), JSON.stringify({ ...staged, untilMs: clock.now() + keptMs }));

/** What such a text names; nothing for one that is too old, or not the caller's. */
export function openStaged({ sealer, clock }: UploadDeps, actor: UserActor, repository: RepositorySubject, sealed: string): Staged {
  const text = sealed === "" ? undefined : sealer.open(purposeOf(actor, repository), sealed);
  if (text === undefined) return nothingStaged;
  const { untilMs, ...staged } = JSON.parse(text) as Staged & { readonly untilMs: number };
  return untilMs < clock.now() ? nothingStaged : staged;
}

const nothingStaged: Staged = { files: [], storedBytes: 0 };

/**
 * Commits what has come into a folder of a branch; a file that is there already is replaced.
 * @param folder empty for the root; made where it is not there
 * @throws ForgeError as `changeFiles`; `invalid` where no file has come
 */
export function commitStaged(
  deps: UploadDeps,
  actor: UserActor,
  repository: RepositorySubject,
  { commit, folder, staged }: { readonly commit: CommitInput; readonly folder: string; readonly staged: Staged },
): Promise<MadeChange> {
  if (staged.files.length === 0) throw invalid("[Files]: Required");
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
