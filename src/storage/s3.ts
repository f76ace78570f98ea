import { type FileHandle, open } from "node:fs/promises";
import { PassThrough, pipeline, type Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { onStorage } from "../git/durable-fs.ts";
import { sweepFolders } from "./disk.ts";
import { type FilePart, type FileStore, isName, measure, newCopyName, newName, type ReceivedFile, requireName } from "./files.ts";
import { withIncoming } from "./incoming.ts";
import type { S3Client, Upload, UploadedPart } from "./s3-client.ts";

/** The least that a service takes as one part, but for the last one; so much is in memory for each upload under way. */
const leastPartBytes = 5 * 1_048_576;
/** A service takes 10,000 parts of one size. */
const maxParts = 9_000;

export interface S3Place {
  /** Of all keys. */
  readonly prefix: string;
  /** Where content lies while it comes: its name is known when all of it is here, and a service renames nothing. */
  readonly localFolder: string;
}

/** Files under a prefix in a bucket. What the service has acknowledged is durable. */
export function openS3Files(client: S3Client, { prefix, localFolder }: S3Place): FileStore {
  const keyOf = (name: string): string => prefix + requireName(name);
  return {
    async put(content) {
      const name = newName();
      await client.put(keyOf(name), content);
      return name;
    },
    receive: (source, { maxBytes }) =>
      onStorage(async () => {
        const { content, facts } = measure(source, maxBytes);
        const { beginning, rest } = await divide(content, leastPartBytes);
        const keep = async (send: (key: string, sizeBytes: number) => Promise<void>): Promise<ReceivedFile> => {
          const { digest, sizeBytes } = facts();
          const name = newCopyName(digest);
          await send(keyOf(name), sizeBytes);
          return { name, digest, sizeBytes };
        };
        if (rest === undefined) return keep((key) => client.put(key, beginning));
        return withIncoming(localFolder, joined(beginning, rest), (path) => keep((key, sizeBytes) => sendFile(client, key, path, sizeBytes)));
      }),
    async get(name) {
      const found = await client.get(keyOf(name));
      return found && (await buffer(found.content));
    },
    sizeOf: async (name) => client.sizeOf(keyOf(name)),
    read: (name, part) => download(client, keyOf(name), part),
    delete: async (name) => client.delete(keyOf(name)),
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

/** The beginning of a content, so many bytes at least where it has them, and what stands behind it: undefined when that was all. */
async function divide(
  content: AsyncIterable<Uint8Array>,
  leastBytes: number,
): Promise<{ readonly beginning: Buffer; readonly rest?: AsyncIterator<Uint8Array> }> {
  const rest = content[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  for (let length = 0; length <= leastBytes; ) {
    const { value, done } = await rest.next();
    if (done === true) return { beginning: Buffer.concat(chunks) };
    chunks.push(value);
    length += value.length;
  }
  return { beginning: Buffer.concat(chunks), rest };
}

async function* joined(beginning: Buffer, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield beginning;
  yield* { [Symbol.asyncIterator]: () => rest };
}

/** Sends a file of the disk as one object, in parts, of which nothing stays when it does not come to its end. */
async function sendFile(client: S3Client, key: string, path: string, sizeBytes: number): Promise<void> {
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
    // What cannot be taken back now the sweep takes.
    await client.abortUpload(upload).catch(() => {});
    throw error;
  } finally {
    await file.close();
  }
}

async function readWhole(file: FileHandle, into: Buffer, position: number): Promise<void> {
  for (let at = 0; at < into.length; ) {
    const { bytesRead } = await file.read(into, at, into.length - at, position + at);
    if (bytesRead === 0) throw new Error("a file became shorter while it was sent");
    at += bytesRead;
  }
}

/** What comes is let through as it comes; a failure on the way is one of the stream. */
function download(client: S3Client, key: string, part: FilePart | undefined): Readable {
  const through = new PassThrough();
  openContent(client, key, part).then(
    (content) => pipeline(content, through, () => {}),
    (error: Error) => through.destroy(error),
  );
  return through;
}

async function openContent(client: S3Client, key: string, part: FilePart | undefined): Promise<Readable> {
  const answer = await client.get(key, part);
  if (answer === undefined) throw new Error("a file is not in the bucket");
  if (part === undefined || answer.status === 206) return answer.content;
  answer.content.destroy();
  throw new Error(`the service answers ${answer.status} where a part was asked for`);
}
