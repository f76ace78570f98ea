import { hash } from "node:crypto";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { zstdCompress } from "node:zlib";
import type { FollowedDatabase } from "../../db/sqlite-follow.ts";
import { isMissing } from "../../git/objects/durable-fs.ts";
import { sendFile } from "../../storage/s3.ts";
import type { LogPlace } from "./place.ts";
import { type Sealed, seal, type Unsealed, unseal } from "./sealed.ts";
import { listTracked } from "./tracked-files.ts";

/** A copy of the database from which the segments of a generation continue. */
export interface BaseHeader {
  readonly format: number;
  /** Version of the program that wrote it. */
  readonly version: string;
  readonly generation: string;
  /** The copy has every change that was acknowledged before, and none that began later. */
  readonly timeMs: number;
  readonly databaseBytes: number;
  /** Whether uploaded files are part of it. */
  readonly hasUploads: boolean;
}

export interface BaseContent {
  /** Digests of the parts of the database, of {@link chunkBytes} each. */
  readonly chunks: readonly string[];
  /** All tracked files, relative to the data folder. */
  readonly files: readonly string[];
  /** Key of secrets in the database, unless the settings have it. */
  readonly secretKey: string | undefined;
}

export const baseFormat = 1;
export const chunkBytes = 1_048_576;
const uploadsAtOnce = 8;
const compress = promisify(zstdCompress);

export const sealBase = (header: BaseHeader, content: BaseContent): Promise<Sealed> => seal(header, [Buffer.from(JSON.stringify(content))]);

export interface OpenedBase extends Unsealed<BaseHeader>, BaseContent {}

/** @returns undefined if it is damaged */
export async function unsealBase(bytes: Buffer): Promise<OpenedBase | undefined> {
  const opened = await unseal<BaseHeader>(bytes);
  return opened && { ...opened, ...(JSON.parse(opened.body.toString("utf8")) as BaseContent) };
}

/** Runs work for each item, some at once. No further item is begun after a failure. @throws the first error, when all work has ended */
export async function forEachOf<T>(items: AsyncIterable<T> | Iterable<T>, work: (item: T) => Promise<void>, atOnce = uploadsAtOnce): Promise<void> {
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  try {
    for await (const item of items) {
      const one: Promise<void> = work(item)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => running.delete(one));
      running.add(one);
      if (running.size >= atOnce) await Promise.race(running);
      if (failures.length > 0) break;
    }
  } finally {
    await Promise.all(running);
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * Uploads the parts of the database that the bucket does not have. The file must not change meanwhile.
 * @param assertWanted throws if the copy has become useless
 */
export async function copyDatabase(
  { client, keys, names }: LogPlace,
  database: FollowedDatabase,
  assertWanted: () => void,
): Promise<Pick<BaseHeader, "databaseBytes"> & Pick<BaseContent, "chunks">> {
  const known = new Set<string>();
  for await (const { name } of names(keys.chunks)) known.add(name);
  const chunks: string[] = [];
  let databaseBytes = 0;
  async function* missing(): AsyncGenerator<{ readonly digest: string; readonly content: Buffer }> {
    for (;;) {
      assertWanted();
      const chunk = Buffer.allocUnsafeSlow(chunkBytes);
      const length = database.readFile(chunk, databaseBytes);
      if (length === 0) return;
      const content = chunk.subarray(0, length);
      const digest = hash("sha256", content, "hex");
      chunks.push(digest);
      databaseBytes += length;
      // Requests are answered between the chunks.
      await new Promise((resolve) => setImmediate(resolve));
      if (known.has(digest)) continue;
      known.add(digest);
      yield { digest, content };
    }
  }
  await forEachOf(missing(), async ({ digest, content }) => client.put(keys.chunk(digest), await compress(content)));
  return { chunks, databaseBytes };
}

/** Uploads the tracked files that the bucket does not have. @returns the paths of all */
export async function copyTracked(
  place: LogPlace,
  source: { readonly dataDirectory: string; readonly hasUploads: boolean },
  assertWanted: () => void,
): Promise<string[]> {
  const { keys, names } = place;
  const known = new Set<string>();
  for await (const { name } of names(keys.content)) known.add(keys.content + name);
  // Housekeeping may replace the packs of a store after they are listed. The second list has the new ones.
  for (let round = 1; ; round += 1) {
    const files: string[] = [];
    let vanished = 0;
    const all = listTracked(source.dataDirectory, source.hasUploads);
    await forEachOf(all, async (path) => {
      assertWanted();
      const key = keys.file(path);
      if (!known.has(key)) {
        const isThere = await uploadFile(place, source.dataDirectory, path);
        if (!isThere) {
          vanished += 1;
          return;
        }
        known.add(key);
      }
      files.push(path);
    });
    if (vanished === 0) return files;
    if (round === maxRounds) throw new Error("the repositories are being packed: the copy is repeated");
  }
}

const maxRounds = 5;

/** @returns false if the file no longer exists */
export async function uploadFile({ client, keys }: LogPlace, dataDirectory: string, path: string): Promise<boolean> {
  try {
    const file = join(dataDirectory, path);
    await sendFile(client, keys.file(path), file, (await stat(file)).size);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
