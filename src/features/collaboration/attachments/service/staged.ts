import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Clock } from "../../../../core/clock.ts";
import { type ForgeError, isForgeError } from "../../../../core/errors.ts";
import type { Sealer } from "../../../../core/sealer.ts";
import { requireRoom } from "../../../repositories/repos/service/sizes.ts";
import type { FileLimits, TakenFile } from "../model.ts";
import { type AttachmentDeps, takeIn } from "./change.ts";

export interface StagingDeps extends AttachmentDeps {
  readonly clock: Clock;
  readonly sealer: Sealer;
}

/** A file that comes with a form. */
export interface ComingFile {
  readonly name: string;
  readonly content: AsyncIterable<Uint8Array>;
}

/** Files that no row names are kept for a day. */
const keptMs = 12 * 3_600_000;

const purposeOf = (actor: UserActor, repository: RepositorySubject): string => `uploaded files of ${actor.id} for repository ${repository.id}`;

/** A text by which its own caller names files that came before, so that a form that is refused need not bring them again: nobody can name a file that he did not bring. */
export const sealTaken = ({ sealer, clock }: StagingDeps, actor: UserActor, repository: RepositorySubject, files: readonly TakenFile[]): string =>
  files.length === 0 ? "" : sealer.seal(purposeOf(actor, repository), JSON.stringify({ files, untilMs: clock.now() + keptMs }));

/** What such a text names, as far as it is still there; nothing for one that is too old, or not the caller's. */
export async function openTaken(deps: StagingDeps, actor: UserActor, repository: RepositorySubject, sealed: string): Promise<readonly TakenFile[]> {
  const text = sealed === "" ? undefined : deps.sealer.open(purposeOf(actor, repository), sealed);
  if (text === undefined) return [];
  const { files, untilMs } = JSON.parse(text) as { readonly files: readonly TakenFile[]; readonly untilMs: number };
  if (untilMs < deps.clock.now()) return [];
  const sizes = await Promise.all(files.map(({ file }) => deps.files.sizeOf(file)));
  return files.filter(({ sizeBytes }, at) => sizes[at] === sizeBytes);
}

export interface Takings {
  readonly files: readonly TakenFile[];
  /** Why one was not taken, the first of them. */
  readonly refusal: ForgeError | undefined;
}

/** What hands on files one by one while they come. */
export interface ComingFiles {
  /** As declared beforehand; 0 where nothing is. */
  readonly expectedBytes: number;
  takeFiles(take: (coming: ComingFile) => Promise<void>): Promise<void>;
}

/** Takes files in while they come, within what is allowed and what the repository's owner has room for. One whose name is not taken keeps no other away; what comes behind one that is too large is not read. */
export async function takeComing(deps: StagingDeps, repository: RepositorySubject, limits: FileLimits, coming: ComingFiles): Promise<Takings> {
  const files: TakenFile[] = [];
  let refusal: ForgeError | undefined;
  const take = async ({ name, content }: ComingFile, maxBytes: number): Promise<void> => {
    try {
      files.push(await takeIn(deps, { ...limits, maxBytes }, name, content));
    } catch (error) {
      if (!isForgeError(error, "invalid")) throw error;
      refusal ??= error;
    }
  };
  try {
    const room = await requireRoom(deps, repository.ownerId, coming.expectedBytes);
    await coming.takeFiles((file) => take(file, Math.min(limits.maxBytes, room)));
  } catch (error) {
    if (!isForgeError(error)) throw error;
    refusal = error;
  }
  return { files, refusal };
}
