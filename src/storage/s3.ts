import { type FileHandle, open, readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { release, releasing } from "../core/detach-buffer.ts";
import { onStorage } from "../git/objects/durable-fs.ts";
import { sweepFolders } from "./disk.ts";
import { type FilePart, type FileStore, isName, measure, newCopyName, newName, type ReceivedFile, requireName } from "./files.ts";
import { withIncoming } from "./incoming.ts";
import type { S3Client, Upload, UploadedPart } from "./s3-client.ts";
import type { S3Answer } from "./s3-fetch.ts";

/** Minimum part size of S3, except for the last part. Each running upload keeps this much in memory. */
const leastPartBytes = 5 * 1_048_576;
/** S3 accepts 10,000 parts of equal size. */
const maxParts = 9_000;

export interface S3Place {
  /** Prefix of all keys. */
  readonly prefix: string;
  /** Folder for incoming content: its name is known only at its end, and S3 cannot rename. */
  readonly localFolder: string;
  /** Maximum time without data in the middle of a download. */
  readonly silenceMs?: number;
}

/** Stores files under a prefix in a bucket. Acknowledged writes are durable. */
export function openS3Files(client: S3Client, { prefix, localFolder, silenceMs = 120_000 }: S3Place): FileStore {
  const keyOf = (name: string): string => prefix + requireName(name);
  return {
    async put(content) {
      const name = newName();
      await client.put(keyOf(name), content);
      return name;
    },
    receive: (source, { maxBytes }) =>
      onStorage(async () => {
        const { content, received } = measure(source, maxBytes);
        const { beginning, rest } = await divide(content, leastPartBytes);
        const keep = async (send: (key: string, sizeBytes: number) => Promise<void>): Promise<ReceivedFile> => {
          const { digest, sizeBytes } = received();
          const name = newCopyName(digest);
          await send(keyOf(name), sizeBytes);
          return { name, digest, sizeBytes };
        };
        try {
          if (rest === undefined) return await keep((key) => client.put(key, beginning));
          return await withIncoming(localFolder, joined(beginning, rest), (path) => keep((key, sizeBytes) => sendFile(client, key, path, sizeBytes)));
        } finally {
          release(beginning.buffer);
        }
      }),
    async get(name) {
      const found = await client.get(keyOf(name));
      return found && (await buffer(found.content));
    },
    sizeOf: async (name) => client.sizeOf(keyOf(name)),
    read: (name, part) => download(client, keyOf(name), part, silenceMs),
    delete: async (name) => client.delete(keyOf(name)),
    async *list() {
      for (let after: string | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
        const { objects, next } = await client.list(prefix, after);
        for (const { key, sizeBytes } of objects) {
          const name = key.slice(prefix.length);
          if (isName(name)) yield { name, sizeBytes };
        }
        after = next;
      }
    },
    async sweep(beforeMs, used, mode = "delete") {
      let unused = 0;
      for (let after: string | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
        const { objects, next } = await client.list(prefix, after);
        const old = objects.filter(({ writtenMs }) => writtenMs < beforeMs).map(({ key }) => key.slice(prefix.length));
        const names = old.filter(isName);
        const inUse = names.length === 0 ? new Set<string>() : await used(names);
        for (const name of names.filter((candidate) => !inUse.has(candidate))) {
          if (mode === "delete") await client.delete(keyOf(name));
          unused += 1;
        }
        after = next;
      }
      for (const upload of await client.listUploads(prefix)) {
        if (!(upload.begunMs < beforeMs) || !upload.key.startsWith(prefix)) continue;
        if (mode === "delete") await client.abortUpload(upload);
        unused += 1;
      }
      return unused + (await onStorage(() => sweepFolders(localFolder, beforeMs, used, mode)));
    },
  };
}

/** Splits content into its first bytes, up to the limit, and the rest; the rest is undefined if there is none. */
async function divide(
  content: AsyncIterable<Uint8Array>,
  mostBytes: number,
): Promise<{ readonly beginning: Buffer; readonly rest?: AsyncIterable<Uint8Array> }> {
  const chunks = content[Symbol.asyncIterator]();
  const target = Buffer.allocUnsafeSlow(mostBytes);
  for (let length = 0; ; ) {
    const { value, done } = await chunks.next();
    if (done === true) return { beginning: target.subarray(0, length) };
    const beginning = target.subarray(0, length);
    if (value.length > target.length - length) return { beginning, rest: joined(value, { [Symbol.asyncIterator]: () => chunks }) };
    target.set(value, length);
    length += value.length;
  }
}

async function* joined(first: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}

/** Uploads a file from disk as one object, in parts; on failure the upload is aborted. */
export async function sendFile(client: S3Client, key: string, path: string, sizeBytes: number): Promise<void> {
  if (sizeBytes <= leastPartBytes) return client.put(key, await readFile(path));
  const upload: Upload = { key, id: await client.beginUpload(key) };
  const file = await open(path);
  try {
    const part = Buffer.allocUnsafeSlow(Math.min(sizeBytes, Math.max(leastPartBytes, Math.ceil(sizeBytes / maxParts))));
    const parts: UploadedPart[] = [];
    for (let sent = 0; sent < sizeBytes; ) {
      const length = Math.min(part.length, sizeBytes - sent);
      await readWhole(file, part.subarray(0, length), sent);
      parts.push(await client.putPart(upload, parts.length + 1, part.subarray(0, length)));
      sent += length;
    }
    await client.completeUpload(upload, parts);
  } catch (error) {
    // A failed abort is left to the sweep.
    await client.abortUpload(upload).catch(() => {});
    throw error;
  } finally {
    await file.close();
  }
}

async function readWhole(file: FileHandle, into: Buffer, position: number): Promise<void> {
  for (let at = 0; at < into.length; ) {
    const { bytesRead } = await file.read(into, at, into.length - at, position + at);
    if (bytesRead === 0) throw new Error("a file became shorter during its upload");
    at += bytesRead;
  }
}

/** Streams a download; each chunk is freed when the next one is requested, because it has no other owner. */
async function* download(client: S3Client, key: string, part: FilePart | undefined, silenceMs: number): AsyncGenerator<Uint8Array, void, undefined> {
  const { content, headers } = await openContent(client, key, part);
  let leftBytes = Number(headers.get("content-length"));
  // A slow reader must not time out the service: the timer runs only while the reader waits for data.
  const listen = () => setTimeout(() => content.destroy(new Error(`the service has sent no data for ${silenceMs} ms`)), silenceMs);
  let silence = listen();
  try {
    for await (const chunk of releasing<Uint8Array>(content)) {
      clearTimeout(silence);
      leftBytes -= chunk.length;
      yield chunk;
      silence = listen();
    }
  } finally {
    clearTimeout(silence);
  }
  if (leftBytes !== 0) throw new Error("the service sent less data than announced");
}

async function openContent(client: S3Client, key: string, part: FilePart | undefined): Promise<S3Answer> {
  const answer = await client.get(key, part);
  if (answer === undefined) throw new Error("a file is not in the bucket");
  if (part === undefined || answer.status === 206) return answer;
  answer.content.destroy();
  throw new Error(`the service answers ${answer.status} to a range request`);
}
