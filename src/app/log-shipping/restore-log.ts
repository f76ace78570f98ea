import { hash } from "node:crypto";
import { createWriteStream, existsSync } from "node:fs";
import { type FileHandle, mkdir, open, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { zstdDecompress } from "node:zlib";
import { type Config, ConfigError } from "../../config/config.ts";
import { parseTime } from "../../core/time.ts";
import { listAllStores } from "../../features/repositories/refs/service/move-packs.ts";
import { outdateProjections } from "../../features/repositories/refs/service/projection.ts";
import { createDurableDirectories, createFile, storageError, syncDirectory } from "../../git/objects/durable-fs.ts";
import { materialize } from "../../git/stores.ts";
import { openFileStores } from "../../storage/open.ts";
import { makeEmptyFolder } from "../backup.ts";
import { restoringName } from "../data-directory.ts";
import { openConfiguredDatabase } from "../database.ts";
import { createLog } from "../log.ts";
import { openStores } from "../stores.ts";
import { baseFormat, chunkBytes, forEachOf, type OpenedBase, unsealBase } from "./base.ts";
import { type LogPlace, openLogPlace, readHead } from "./place.ts";
import { startOf } from "./prune.ts";
import { type Segment, unsealSegment } from "./segment.ts";
import { isTrackedPath, storePathOf } from "./tracked-files.ts";

const decompress = promisify(zstdDecompress);
const databaseName = "hearth.db";
/** Segments that are read in advance. */
const segmentsAhead = 8;

/** Shows milliseconds, so that it can be given to `--at`. */
const exactTime = (ms: number): string => new Date(ms).toISOString();

/**
 * `hearth restore --at TIME|newest [s3://...]`: fills an empty data folder with the state of a time, from the log in a bucket.
 * @param given address of the log, if not that of the settings
 * @returns the exit code
 * @throws ConfigError, ForgeError `unavailable`
 */
export async function restoreLog(config: Config, given: string | undefined, at: string, print: (text: string) => number): Promise<number> {
  const atMs = at === "newest" ? Number.POSITIVE_INFINITY : parseTime(at);
  if (atMs === undefined) throw new ConfigError(`--at must be newest, or a time such as 2026-03-02T03:00:00Z, not ${at}`);
  const url = given ?? config.log_shipping.url;
  if (url === "") throw new ConfigError("name the bucket of the log, or set HEARTH_LOG_SHIPPING_URL");
  if (config.database.url !== "") throw new ConfigError("the log contains an embedded database: remove HEARTH_DATABASE_URL");
  const place = openLogPlace(url, config);
  const base = await chooseBase(place, url, atMs);
  const { dataDirectory } = config;
  await makeEmptyFolder(dataDirectory);
  try {
    // No server starts while this folder exists.
    const restoring = join(dataDirectory, restoringName);
    await mkdir(restoring);
    const restored = await restoreDatabase(place, base, { path: join(restoring, databaseName), folder: restoring, atMs });
    await rename(join(restoring, databaseName), join(dataDirectory, databaseName));
    if (base.secretKey !== undefined && config.server.secret_key === "") await createFile(join(dataDirectory, "secret.key"), base.secretKey, 0o600);
    const files = await restoreFiles(config, place, { ...restored, folder: restoring });
    await rmdir(join(restoring, "embedded"));
    await rmdir(restoring);
    await syncDirectory(dataDirectory);
    print(`restored the state of ${exactTime(restored.timeMs)}: the database and ${files} files are in ${dataDirectory}\n`);
    if (!base.header.hasUploads && config.storage.url === "")
      print("the log has no uploaded files, because they were in a bucket: set HEARTH_STORAGE_URL before you start the server\n");
    return 0;
  } catch (error) {
    throw storageError(error);
  }
}

/** The last base of the time or before. @throws ConfigError if there is none */
async function chooseBase({ keys, names, read }: LogPlace, url: string, atMs: number): Promise<OpenedBase> {
  const generations: string[] = [];
  for await (const { name } of names(keys.bases)) generations.push(name);
  const [oldest] = generations.sort();
  if (oldest === undefined) throw new ConfigError(`there is no log in ${url}`);
  const chosen = generations.findLast((generation) => startOf(generation) <= atMs);
  if (chosen === undefined) throw new ConfigError(`the log begins at ${exactTime(startOf(oldest))}: choose that time or a later one`);
  const bytes = await read(keys.base(chosen));
  const base = bytes && (await unsealBase(bytes));
  if (base === undefined || base.header.generation !== chosen) {
    const before = generations[generations.indexOf(chosen) - 1];
    throw damaged(`${keys.base(chosen)} is damaged`, before === undefined ? undefined : startOf(chosen) - 1);
  }
  if (base.header.format !== baseFormat)
    throw new ConfigError(`the log has format ${base.header.format}, which this version of Hearth cannot read: restore it with version ${base.header.version}`);
  return base;
}

/** @param untilMs last time whose state can be restored */
const damaged = (problem: string, untilMs: number | undefined): ConfigError =>
  new ConfigError(
    untilMs === undefined
      ? `${problem}: restore another backup`
      : `${problem}: states up to ${exactTime(untilMs)} can be restored with --at ${exactTime(untilMs)}; for later ones, restore that object from a version of the bucket`,
  );

interface RestoredDatabase {
  /** Time of the last change. */
  readonly timeMs: number;
  /** Files in the bucket. */
  readonly stored: ReadonlySet<string>;
  /** Files in the folder `embedded`, by the number that names them there. */
  readonly embedded: ReadonlyMap<string, number>;
}

async function restoreDatabase(
  place: LogPlace,
  base: OpenedBase,
  { path, folder, atMs }: { readonly path: string; readonly folder: string; readonly atMs: number },
): Promise<RestoredDatabase> {
  const stored = new Set(base.files);
  const embedded = new Map<string, number>();
  await mkdir(join(folder, "embedded"));
  const file = await open(path, "wx", 0o600);
  try {
    await writeChunks(place, base, file);
    let timeMs = base.header.timeMs;
    let bytes = base.header.databaseBytes;
    for await (const segment of readSegments(place, base, atMs)) {
      for (const one of segment.stored) stored.add(one);
      for (const { path: name, content } of segment.embedded) {
        if (embedded.has(name)) continue;
        embedded.set(name, embedded.size);
        await createFile(join(folder, "embedded", String(embedded.get(name))), content, 0o444);
      }
      for (const group of segment.groups) {
        if (group.timeMs > atMs) break;
        for (const [number, page] of group.pages) await file.write(page, 0, page.length, (number - 1) * page.length);
        const [page] = group.pages.values();
        bytes = group.databasePages * (page?.length ?? 0);
        timeMs = group.timeMs;
      }
    }
    await file.truncate(bytes);
    await file.sync();
    return { timeMs, stored, embedded };
  } finally {
    await file.close();
  }
}

async function writeChunks({ keys, read }: LogPlace, { chunks, header }: OpenedBase, file: FileHandle): Promise<void> {
  await forEachOf(chunks.entries(), async ([at, digest]) => {
    const bytes = await read(keys.chunk(digest));
    const content = bytes && (await decompress(bytes).catch(() => undefined));
    if (content === undefined || hash("sha256", content, "hex") !== digest)
      throw damaged(
        `${keys.chunk(digest)} is ${bytes === undefined ? "missing" : "damaged"}, which is part of the base ${header.generation}`,
        startOf(header.generation) - 1,
      );
    await file.write(content, 0, content.length, at * chunkBytes);
  });
}

/** Reads the segments in order until one begins after the time. @throws ConfigError for a missing, damaged or swapped one */
async function* readSegments(place: LogPlace, base: OpenedBase, atMs: number): AsyncGenerator<Segment> {
  const { keys, names } = place;
  const { generation } = base.header;
  const present = new Set<string>();
  for await (const { name } of names(keys.segmentsOf(generation))) present.add(name);
  const head = await readHead(place);
  const expected = Math.max(present.size, head?.generation === generation ? head.number : 0);
  const ahead: Promise<Buffer | undefined>[] = [];
  let previous = base.digest;
  let untilMs = base.header.timeMs;
  for (let number = 1; number <= expected; number += 1) {
    while (ahead.length < segmentsAhead && number + ahead.length <= expected) {
      const reading = place.read(keys.segment(generation, number + ahead.length));
      reading.catch(() => {});
      ahead.push(reading);
    }
    const bytes = await ahead.shift();
    const key = keys.segment(generation, number);
    if (bytes === undefined) throw damaged(`${key} is missing`, untilMs);
    const segment = await unsealSegment(bytes).catch(() => undefined);
    if (segment === undefined) throw damaged(`${key} is damaged: it is truncated or was changed`, untilMs);
    if (segment.generation !== generation || segment.number !== number || segment.previous !== previous)
      throw damaged(
        `${key} has the content of another object: segment ${segment.number} of ${segment.generation}, or one that does not continue the segment before`,
        untilMs,
      );
    if ((segment.groups[0]?.timeMs ?? 0) > atMs) return;
    yield segment;
    previous = segment.digest;
    untilMs = segment.groups.at(-1)?.timeMs ?? untilMs;
    if (untilMs > atMs) return;
  }
}

/** Writes the packs of all stores, and the uploaded files. @returns their number */
async function restoreFiles(config: Config, place: LogPlace, restored: RestoredDatabase & { readonly folder: string }): Promise<number> {
  const { dataDirectory } = config;
  const log = createLog("warn");
  const db = await openConfiguredDatabase(config, { log, role: "tool" });
  const { git } = await openStores(config, { db, fileStores: openFileStores(config), log, role: "tool" });
  try {
    const stores = new Set<string>();
    for await (const { id, format } of listAllStores(db)) {
      const store = git.store(id, format);
      await materialize(store);
      stores.add(store.path);
    }
    const directories = createDurableDirectories(dirname(dataDirectory));
    const written = new Set<string>();
    const write = async (path: string, content: (target: string) => Promise<void>): Promise<void> => {
      if (!isTrackedPath(path)) throw new ConfigError(`the log names ${JSON.stringify(path)}, which is not a file of a data folder`);
      const store = storePathOf(path);
      // The repository was deleted before.
      if (store !== undefined && !stores.has(join(dataDirectory, store))) return;
      const target = join(dataDirectory, path);
      if (existsSync(target)) return;
      await directories.ensure(dirname(target));
      await content(target);
      written.add(dirname(target));
    };
    let count = 0;
    await forEachOf(restored.embedded, async ([path, number]) => {
      count += 1;
      const source = join(restored.folder, "embedded", String(number));
      await write(path, (target) => rename(source, target));
      if (existsSync(source)) await rm(source);
    });
    await forEachOf(
      [...restored.stored].filter((path) => !restored.embedded.has(path)),
      async (path) => {
        count += 1;
        await write(path, (target) => download(place, path, target));
      },
    );
    for (const folder of written) await syncDirectory(folder);
    // The copies of refs in the directories are empty.
    await db.tx((tx) => outdateProjections(tx));
    return count;
  } finally {
    await git.close();
    await db.close();
  }
}

async function download({ client, keys }: LogPlace, path: string, target: string): Promise<void> {
  const key = keys.file(path);
  const answer = await client.get(key);
  if (answer === undefined)
    throw new ConfigError(`${key} is missing in the bucket, which ${path} is restored from: restore that object from a version of the bucket`);
  const stream = createWriteStream(target, { flags: "wx", mode: 0o444, flush: true });
  await pipeline(answer.content, stream);
  if (stream.bytesWritten !== Number(answer.headers.get("content-length"))) throw new Error(`${key} was not received completely: repeat the restore`);
}
