import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { type FilePart, type FileStore, isName, measure, newName, requireName } from "./files.ts";
import type { S3Client, Upload, UploadedPart } from "./s3-client.ts";

/** What a service takes as one part, but for the last, is at least 5 MiB; so much is in memory for each upload under way. */
const leastPartBytes = 8 * 1_048_576;
/** A service takes 10,000 parts of one size. */
const maxParts = 9_000;

/** Files under `prefix` in a bucket. What the service has acknowledged is durable. */
export function openS3Files(client: S3Client, prefix: string): FileStore {
  const keyOf = (name: string): string => prefix + requireName(name);
  return {
    async put(content) {
      const name = newName();
      await client.put(keyOf(name), content);
      return name;
    },
    async receive(source, { maxBytes }) {
      const name = newName();
      const { content, facts } = measure(source, maxBytes);
      await send(client, keyOf(name), cut(content, Math.max(leastPartBytes, Math.ceil(maxBytes / maxParts))));
      return { name, ...facts() };
    },
    async get(name) {
      const found = await client.get(keyOf(name));
      return found && Buffer.from(await found.arrayBuffer());
    },
    sizeOf: async (name) => client.sizeOf(keyOf(name)),
    read: (name, part) => Readable.from(download(client, keyOf(name), part), { objectMode: false }),
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
      return unused;
    },
  };
}

/** Cuts content into pieces of one size, the last one smaller. */
async function* cut(content: AsyncIterable<Uint8Array>, sizeBytes: number): AsyncGenerator<Buffer, void> {
  let chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of content) {
    let rest = chunk;
    while (length + rest.length >= sizeBytes) {
      const taken = rest.subarray(0, sizeBytes - length);
      yield Buffer.concat([...chunks, taken], sizeBytes);
      rest = rest.subarray(taken.length);
      chunks = [];
      length = 0;
    }
    if (rest.length > 0) chunks.push(rest);
    length += rest.length;
  }
  if (length > 0) yield Buffer.concat(chunks, length);
}

/** Sends content as one object: at once when it is one piece, else in parts, of which nothing stays when it does not come to its end. */
async function send(client: S3Client, key: string, pieces: AsyncGenerator<Buffer, void>): Promise<void> {
  const first = (await pieces.next()).value ?? Buffer.alloc(0);
  let piece = await pieces.next();
  if (piece.done === true) return client.put(key, first);
  const upload: Upload = { key, id: await client.beginUpload(key) };
  try {
    const parts: UploadedPart[] = [await client.putPart(upload, 1, first)];
    for (; piece.done !== true; piece = await pieces.next()) parts.push(await client.putPart(upload, parts.length + 1, piece.value));
    await client.completeUpload(upload, parts);
  } catch (error) {
    // What cannot be taken back now the sweep takes.
    await client.abortUpload(upload).catch(() => {});
    throw error;
  }
}

async function* download(client: S3Client, key: string, part: FilePart | undefined): AsyncGenerator<Uint8Array> {
  const answer = await client.get(key, part);
  if (answer === undefined) throw new Error("a file is not in the bucket");
  if (part !== undefined && answer.status !== 206) throw new Error(`the service answers ${answer.status} where a part was asked for`);
  if (answer.body !== null) yield* Readable.fromWeb(answer.body as ReadableStream<Uint8Array>);
}
