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

/** A file in a form. */
export interface ComingFile {
  readonly name: string;
  readonly content: AsyncIterable<Uint8Array>;
}

/** The sweep deletes unreferenced files after a day. */
const keptMs = 12 * 3_600_000;

const purposeOf = (actor: UserActor, repository: RepositorySubject): string => `uploaded files of ${actor.id} for repository ${repository.id}`;

/**
 * Seals references to uploaded files for their uploader, so that a rejected form need not upload them again. Users cannot reference
 * the files of others.
 */
export const sealTaken = ({ sealer, clock }: StagingDeps, actor: UserActor, repository: RepositorySubject, files: readonly TakenFile[]): string =>
  files.length === 0 ? "" : sealer.seal(purposeOf(actor, repository), JSON.stringify({ files, untilMs: clock.now() + keptMs }));

/** Opens sealed references and returns the files that still exist; empty if the references have expired or belong to another user. */
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
  /** The first rejection. */
  readonly refusal: ForgeError | undefined;
}

/** Yields files one by one as they arrive. */
export interface ComingFiles {
  /** As declared by the client; 0 if undeclared. */
  readonly expectedBytes: number;
  takeFiles(take: (coming: ComingFile) => Promise<void>): Promise<void>;
}

/**
 * Stores arriving files within the limits and the owner's quota. A file with a rejected name does not affect the others; reading stops
 * after a file that is too large.
 */
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
