import { S3mini } from "s3mini";
import type { S3Location } from "../config/storage-url.ts";
import { isForgeError, unavailable } from "../core/errors.ts";
import { createS3Fetch, type S3Answer } from "./s3-fetch.ts";

/** The subset of S3 that file storage needs. All operations are idempotent and retried if the service fails. */
export interface S3Client {
  put(key: string, content: Uint8Array): Promise<void>;
  /** @returns undefined if it does not exist */
  sizeOf(key: string): Promise<number | undefined>;
  /** Streams the content, or an inclusive range of it. Undefined if it does not exist. */
  get(key: string, part?: { readonly start: number; readonly end: number }): Promise<S3Answer | undefined>;
  delete(key: string): Promise<void>;
  /** Starts a multipart upload. @returns its id */
  beginUpload(key: string): Promise<string>;
  /** @param number from 1 */
  putPart(upload: Upload, number: number, content: Uint8Array): Promise<UploadedPart>;
  completeUpload(upload: Upload, parts: readonly UploadedPart[]): Promise<void>;
  abortUpload(upload: Upload): Promise<void>;
  /** A page of the keys with this prefix. */
  list(prefix: string, after: string | undefined): Promise<{ readonly objects: readonly ListedObject[]; readonly next: string | undefined }>;
  /** Incomplete uploads, at most the first thousand. */
  listUploads(prefix: string): Promise<readonly (Upload & { readonly begunMs: number })[]>;
}

export interface Upload {
  readonly key: string;
  readonly id: string;
}

export interface UploadedPart {
  readonly partNumber: number;
  readonly etag: string;
}

export interface ListedObject {
  readonly key: string;
  readonly writtenMs: number;
  readonly sizeBytes: number;
}

export interface S3Keys {
  readonly accessKey: string;
  readonly secretKey: string;
}

/** Time limit until the service begins its response, including the transfer of an upload part. */
const answerMs = 120_000;
const listedKeys = 1_000;
/** Pauses between attempts. */
const pausesMs = [200, 1_000];

export function openS3Client({ bucketUrl, region }: Pick<S3Location, "bucketUrl" | "region">, { accessKey, secretKey }: S3Keys): S3Client {
  const s3 = new S3mini({
    endpoint: bucketUrl,
    region,
    accessKeyId: accessKey,
    secretAccessKey: secretKey,
    fetch: createS3Fetch(answerMs) as unknown as typeof fetch,
  });
  return {
    put: (key, content) => attempt(async () => void (await s3.putObject(key, asBuffer(content)))),
    sizeOf: (key) => attempt(() => unlessMissing(s3.getContentLength(key))),
    // The library returns the response object that our fetch created.
    get: (key, part) =>
      attempt(async () => {
        const found = part === undefined ? s3.getObjectRaw(key) : s3.getObjectRaw(key, false, part.start, part.end + 1);
        return (await unlessMissing(found)) as S3Answer | undefined;
      }),
    delete: (key) => attempt(async () => void (await unlessMissing(s3.deleteObject(key)))),
    beginUpload: (key) => attempt(() => s3.getMultipartUploadId(key)),
    putPart: ({ key, id }, number, content) => attempt(() => s3.uploadPart(key, id, asBuffer(content), number)),
    completeUpload: ({ key, id }, parts) => attempt(async () => void (await s3.completeMultipartUpload(key, id, [...parts]))),
    abortUpload: ({ key, id }) => attempt(async () => void (await unlessMissing(s3.abortMultipartUpload(key, id)))),
    list: (prefix, after) =>
      attempt(async () => {
        const page = await s3.listObjectsPaged("/", prefix, listedKeys, after);
        const objects = (page?.objects ?? []).map(({ Key, LastModified, Size }) => ({
          key: Key,
          writtenMs: new Date(LastModified).getTime(),
          sizeBytes: Number(Size),
        }));
        return { objects, next: page?.nextContinuationToken };
      }),
    listUploads: (prefix) =>
      attempt(async () => readUploads((await unlessAnswered(notOffered, s3.listMultipartUploads("/", prefix, "GET", { prefix }))) ?? {})),
  };
}

const asBuffer = (content: Uint8Array): Buffer => Buffer.from(content.buffer, content.byteOffset, content.byteLength);

/** The service's status; some errors of the library carry it in their cause. Undefined: no response. */
function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  return "status" in error && typeof error.status === "number" ? error.status : statusOf(error.cause);
}

/** Status of services that cannot list uploads. */
const notOffered = 501;

const unlessMissing = <T>(found: Promise<T>): Promise<T | undefined> => unlessAnswered(404, found);

async function unlessAnswered<T>(status: number, found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (statusOf(error) === status) return undefined;
    throw error;
  }
}

/** The service knows the key, or not, and does not permit the operation. */
const isDenied = (status: number | undefined): boolean => status === 401 || status === 403;

/** The error code of the service for a bucket that does not exist. Some errors of the library carry it in their cause. */
const isBucketMissing = (error: unknown): boolean =>
  error instanceof Error && (("code" in error && error.code === "NoSuchBucket") || error.message.includes("NoSuchBucket") || isBucketMissing(error.cause));

export const bucketMissing = "the bucket of the file storage does not exist";

function problemOf(error: unknown, status: number | undefined): string {
  if (isDenied(status)) return "the file storage refuses the request";
  return isBucketMissing(error) ? bucketMissing : "the file storage cannot be reached";
}

/** Whether the storage has refused an operation with this error, in contrast to one that does not answer. */
export const isRefusal = (error: unknown): boolean => isForgeError(error, "unavailable") && isDenied(Number(error.options.meta?.status));

/** @throws ForgeError `unavailable` if all attempts fail */
async function attempt<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const status = statusOf(error);
      const pauseMs = pausesMs[tries];
      const isPassing = status === undefined || status >= 500 || status === 429;
      if (!isPassing || pauseMs === undefined)
        throw unavailable(problemOf(error, status), {
          retryAfter: 30,
          cause: error,
          meta: { reason: "storage", status },
        });
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

/** The library returns the XML as parsed: one upload or many, with names in the service's spelling. */
function readUploads(answer: unknown): (Upload & { readonly begunMs: number })[] {
  const result = member(answer, "ListMultipartUploadsResult") ?? answer;
  const uploads = member(result, "Upload");
  return [uploads ?? []].flat().flatMap((upload) => {
    const [key, id, begun] = ["Key", "UploadId", "Initiated"].map((name) => member(upload, name));
    return typeof key === "string" && typeof id === "string" ? [{ key, id, begunMs: Date.parse(String(begun)) }] : [];
  });
}

function member(of: unknown, name: string): unknown {
  if (typeof of !== "object" || of === null) return undefined;
  const found = Object.entries(of).find(([key]) => key.toLowerCase() === name.toLowerCase());
  return found?.[1];
}
