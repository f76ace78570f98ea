import { type Actor, isSelf } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { notFound, unavailable } from "../../../../core/errors.ts";
import type { Log } from "../../../../core/log.ts";
import type { Db } from "../../../../db/db.ts";
import { type FilePart, type FileStore, gather } from "../../../../storage/files.ts";
import { type PictureType, pictureTypeOf } from "../../../accounts/avatars/picture.ts";
import { isText, probeBytes } from "../../../repositories/contents/text-detection.ts";
import { readsRelease } from "../../../repositories/releases/rights.ts";
import { hasRelease, requireLatestRelease, requireReleaseOfTag } from "../../../repositories/releases/service/find.ts";
import { findRepositoryById } from "../../../repositories/repos/service/find.ts";
import { canReadIssue } from "../../issues/rights.ts";
import type { KeptAttachment } from "../model.ts";
import { countDownload, type FoundAttachment, findByName, findByUuid } from "../store.ts";

export interface DownloadDeps {
  readonly db: Db;
  readonly files: FileStore;
  readonly log: Log;
}

/**
 * Finds a file by its address.
 * @throws ForgeError `not_found`, also if the caller cannot read its parent
 */
export async function findDownload(deps: DownloadDeps, actor: Actor, uuid: string): Promise<KeptAttachment> {
  const found = await findByUuid(deps.db, uuid.toLowerCase());
  if (found === undefined) throw notFound();
  const repository = await findRepositoryById(deps, found.repoId, actor);
  if (!(found.releaseId === null ? readsHeld(actor, repository, found) : readsRelease(repository, found))) throw notFound();
  return found;
}

/** Only its uploader can read a pending upload. */
const readsHeld = (actor: Actor, repository: RepositorySubject, { issueId, isPull, uploaderId }: FoundAttachment): boolean =>
  canReadIssue(repository, { isPull }) && (issueId !== null || (uploaderId !== null && isSelf(actor, uploaderId)));

/** Finds a file by id in its repository. @throws ForgeError as {@link findDownload} */
export async function findDownloadOf(deps: DownloadDeps, actor: Actor, repository: RepositorySubject, uuid: string): Promise<KeptAttachment> {
  const found = await findDownload(deps, actor, uuid);
  if (found.repoId !== repository.id) throw notFound();
  return found;
}

/**
 * Finds a file of a release by a path of the release's tag and the file name: `v1.0/app.zip`. Unless a release has the tag `latest`, that
 * is the newest release that is neither a draft nor a pre-release.
 * @throws ForgeError `not_found`
 */
export async function findReleaseDownload(deps: Pick<DownloadDeps, "db">, repository: RepositorySubject, path: string): Promise<KeptAttachment> {
  const slash = path.lastIndexOf("/");
  const tag = path.slice(0, Math.max(slash, 0));
  const isAlias = tag === "latest" && !(await hasRelease(deps.db, repository.id, tag));
  const release = await (isAlias ? requireLatestRelease(deps, repository) : requireReleaseOfTag(deps, repository, tag));
  const found = await findByName(deps.db, release.id, path.slice(slash + 1));
  if (found === undefined) throw notFound("Not Found");
  return found;
}

/** Types that a browser may display inline; it must download all others (`other`). */
export type ShownType = PictureType | "text" | "other";

export interface OpenDownload {
  readonly type: ShownType;
  readonly sizeBytes: number;
  /** Each chunk is valid only until the next one is read. */
  read(part: FilePart | undefined): AsyncIterable<Uint8Array>;
}

/** @throws ForgeError `unavailable` if the stored file is missing */
export async function openDownload({ files }: DownloadDeps, { file, uuid }: KeptAttachment): Promise<OpenDownload> {
  const sizeBytes = await files.sizeOf(file);
  if (sizeBytes === undefined) throw unavailable("the content of this attachment is missing from storage at the moment", { meta: { uuid } });
  const beginning = sizeBytes === 0 ? Buffer.alloc(0) : await gather(files.read(file, { start: 0, end: probeBytes - 1 }));
  return {
    type: pictureTypeOf(beginning) ?? (isText(beginning) ? "text" : "other"),
    sizeBytes,
    read: (part) => files.read(file, part),
  };
}

/** Counts a download. A failure is logged and does not fail the download. */
export async function noteDownload({ db, log }: DownloadDeps, { id }: KeptAttachment): Promise<void> {
  await db.tx((tx) => countDownload(tx, id)).catch((error: unknown) => log.warn({ err: error }, "could not count a download"));
}
