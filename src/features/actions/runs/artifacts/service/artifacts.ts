import type { RepositorySubject } from "../../../../../access/subjects.ts";
import { conflict, invalid, malformed, notFound } from "../../../../../core/errors.ts";
import type { Page, Paged } from "../../../../../core/paging.ts";
import type { Db, Reader } from "../../../../../db/db.ts";
import type { FilePart } from "../../../../../storage/files.ts";
import { countFile } from "../../../../repositories/repos/service/sizes.ts";
import { letGo } from "../../../../site/blobs/service/keep.ts";
import type { RunRow, TaskRow } from "../../model.ts";
import { findRun, loadRuns } from "../../store/runs.ts";
import { forgetSecrets } from "../../store/tasks.ts";
import { dropSummaries } from "../../summaries/service.ts";
import type { Artifact, StoredArtifact } from "../model.ts";
import {
  type ArtifactFilter,
  countArtifacts,
  countUploads,
  deleteArtifact,
  deleteLogs,
  deleteUpload,
  findArtifact,
  findArtifactByName,
  findUploadByName,
  insertArtifact,
  insertUpload,
  listExpired,
  listOldLogs,
  listOldUploads,
  pageArtifacts,
} from "../store.ts";
import { completeAppended, dropUpload, type UploadDeps } from "./uploads.ts";

/** As on GitHub. */
const maxArtifacts = 500;
const maxNameLength = 255;
const dayMs = 86_400_000;

/** The rules of the toolkit. */
const isValidName = (name: string): boolean =>
  name !== "" && name !== "." && name !== ".." && name.length <= maxNameLength && !/["\\/:<>|*?\x00-\x1f]/.test(name);

export interface NewArtifact {
  readonly name: string;
  readonly mediaType: string;
  /** Undefined: by the setting of the server. */
  readonly expiresMs: number | undefined;
}

/** Begins an upload; a former one of the job with the same name is dropped. @returns its id @throws ForgeError `malformed`, `conflict`, `invalid` */
export async function beginArtifact(deps: UploadDeps, task: TaskRow, given: NewArtifact): Promise<number> {
  if (!isValidName(given.name))
    throw malformed(`the name of an artifact has 1 to ${maxNameLength} characters, none of them " \\ / : < > | * ? or a line break`);
  if (!/^[\w.+-]{0,60}\/?[\w.+-]{0,60}$/.test(given.mediaType)) throw malformed("the media type is invalid");
  const former = await findUploadByName(deps.db, task.id, given.name);
  if (former !== undefined) await dropUpload(deps, former);
  const longestMs = deps.clock.now() + deps.config.actions.artifact_days * dayMs;
  return deps.db.tx(async (tx) => {
    const run = await findRun(tx, task.repoId, task.runId);
    if (run === undefined) throw notFound();
    const existing = await findArtifactByName(tx, task.runId, given.name);
    if (existing?.attempt === run.attempt) throw conflict("an artifact with this name already exists in this run");
    const count = (await countArtifacts(tx, task.runId)) + (await countUploads(tx, task.id));
    if (count >= maxArtifacts) throw invalid(`a run has at most ${maxArtifacts} artifacts`);
    const expiresMs = Math.max(tx.nowMs, Math.min(given.expiresMs ?? longestMs, longestMs));
    return insertUpload(tx, { repoId: task.repoId, taskId: task.id, name: given.name, mediaType: given.mediaType, expiresMs });
  });
}

export interface Finished {
  readonly name: string;
  readonly sizeBytes: number | undefined;
  /** SHA-256, in hex. */
  readonly digest: string | undefined;
}

/** Turns a complete upload into an artifact, which replaces that of a former attempt. @returns its id @throws ForgeError `not_found`, `invalid` */
export async function finishArtifact(deps: UploadDeps, task: TaskRow, given: Finished): Promise<number> {
  const sent = await findUploadByName(deps.db, task.id, given.name);
  if (sent !== undefined) await completeAppended(deps, sent);
  return deps.db.tx(async (tx) => {
    const upload = await findUploadByName(tx, task.id, given.name);
    const run = await findRun(tx, task.repoId, task.runId);
    if (upload?.content == null || run === undefined) throw notFound("no complete upload has this name");
    const { digest, sizeBytes } = upload.content;
    if (given.sizeBytes !== undefined && given.sizeBytes !== sizeBytes) throw invalid(`the content has ${sizeBytes} bytes, not ${given.sizeBytes}`);
    if (given.digest !== undefined && given.digest !== digest) throw invalid("the content does not match its SHA-256");
    const former = await findArtifactByName(tx, task.runId, given.name);
    if (former !== undefined) await deleteArtifact(tx, former.id);
    const id = await insertArtifact(tx, {
      repoId: task.repoId,
      runId: task.runId,
      attempt: run.attempt,
      name: upload.name,
      mediaType: upload.mediaType,
      digest,
      sizeBytes,
      expiresMs: upload.expiresMs,
    });
    await deleteUpload(tx, upload.id);
    await countFile(tx, task.repoId, sizeBytes - (former?.sizeBytes ?? 0));
    if (former !== undefined) await letGo(tx, former.digest);
    return id;
  });
}

/** Newest first. Two statements. */
export const listArtifacts = (deps: { readonly db: Reader }, filter: ArtifactFilter, page: Page): Promise<Paged<Artifact>> =>
  pageArtifacts(deps.db, filter, page);

/** As many as a run may have, newest first. Two statements. */
export const artifactsOfRun = async (deps: { readonly db: Reader }, repoId: number, runId: number): Promise<readonly Artifact[]> =>
  (await pageArtifacts(deps.db, { repoId, runId }, { page: 1, limit: maxArtifacts, offset: 0 })).items;

/** The runs of artifacts, by id. One statement. */
export const runsOfArtifacts = (
  deps: { readonly db: Reader },
  repository: Pick<RepositorySubject, "id">,
  artifacts: readonly Artifact[],
): Promise<ReadonlyMap<number, RunRow>> => loadRuns(deps.db, repository.id, [...new Set(artifacts.map(({ runId }) => runId))]);

/** The stored file of an artifact of any repository. */
export const findArtifactFile = (db: Reader, id: number): Promise<Pick<StoredArtifact, "digest" | "sizeBytes" | "file" | "updatedMs"> | undefined> =>
  findArtifact(db, undefined, id);

/** @param repository undefined: of any one, for a signed address @throws ForgeError `not_found` */
export async function getArtifact(deps: { readonly db: Reader }, repository: Pick<RepositorySubject, "id"> | undefined, id: number): Promise<StoredArtifact> {
  const artifact = await findArtifact(deps.db, repository?.id, id);
  if (artifact === undefined) throw notFound("artifact not found");
  return artifact;
}

/** @throws ForgeError `not_found` */
export async function getArtifactByName(deps: { readonly db: Reader }, runId: number, name: string): Promise<StoredArtifact> {
  const artifact = await findArtifactByName(deps.db, runId, name);
  if (artifact === undefined) throw notFound("artifact not found");
  return artifact;
}

/** Reads a content or a part of it. @throws ForgeError `not_found` after its expiry */
export function openArtifact(deps: Pick<UploadDeps, "files" | "clock">, artifact: StoredArtifact): (part: FilePart | undefined) => AsyncIterable<Uint8Array> {
  if (artifact.expiresMs <= deps.clock.now()) throw notFound("the artifact has expired");
  return (part) => deps.files.read(artifact.file, part);
}

/** Deletes an artifact with its content. */
export async function removeArtifact(deps: Pick<UploadDeps, "db">, artifact: Artifact): Promise<void> {
  await deps.db.tx(async (tx) => {
    const known = await findArtifact(tx, artifact.repoId, artifact.id);
    if (known === undefined) throw notFound("artifact not found");
    await deleteArtifact(tx, artifact.id);
    await countFile(tx, artifact.repoId, -artifact.sizeBytes);
    await letGo(tx, artifact.digest);
  });
}

const batch = 100;
/** An upload that is not complete by then belongs to a job that has failed. */
const uploadMs = dayMs;

/** Deletes expired artifacts and abandoned uploads, a few at a time. @returns the number of artifacts */
export async function expireArtifacts(deps: UploadDeps): Promise<number> {
  let count = 0;
  for (let found = await listExpired(deps.db, deps.clock.now(), batch); found.length > 0; found = await listExpired(deps.db, deps.clock.now(), batch)) {
    for (const artifact of found) await removeArtifact(deps, artifact);
    count += found.length;
  }
  const beforeMs = deps.clock.now() - uploadMs;
  for (let found = await listOldUploads(deps.db, beforeMs, batch); found.length > 0; found = await listOldUploads(deps.db, beforeMs, batch))
    for (const upload of found) await dropUpload(deps, upload);
  return count;
}

/** Deletes the logs and summaries of jobs that ended long ago, a few at a time, and the secrets of jobs whose runner did not complete its log. @returns their number */
export async function expireLogs({ db, clock, config }: Pick<UploadDeps, "clock" | "config"> & { readonly db: Db }): Promise<number> {
  await db.tx((tx) => forgetSecrets(tx, clock.now() - dayMs));
  const beforeMs = clock.now() - config.actions.log_days * dayMs;
  await dropSummaries(db, beforeMs);
  let count = 0;
  for (let found = await listOldLogs(db, beforeMs, batch); found.length > 0; found = await listOldLogs(db, beforeMs, batch)) {
    const ids = found;
    await db.tx((tx) => deleteLogs(tx, ids));
    count += ids.length;
  }
  return count;
}
