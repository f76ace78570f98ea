import { createHash, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Config, ConfigError } from "../../config/config.ts";
import { type CopiedRow, keyOf, noteValues, type RowSource } from "../../db/row-source.ts";
import { openSnapshot } from "../../db/snapshot.ts";
import { serverVersion } from "../../features/site/meta/server-details.ts";
import { replaceFile, storageError } from "../../git/objects/durable-fs.ts";
import { createLog } from "../log.ts";
import { findSecretKey } from "../secret-key.ts";
import { requireInTime } from "../store-files.ts";
import { haveSharedPacks } from "../stores.ts";
import type { BackupContents } from "./contents.ts";
import { type FileRow, type KnownContents, knownKey } from "./files.ts";
import { openPlace } from "./place.ts";
import { type StoredTable, storeRows } from "./rows.ts";
import { storeAllFiles } from "./sources.ts";
import { keys, type ObjectWriter, openObjectWriter, type PlacedBackup, type PlacedManifest, placeFormat, withMark } from "./store.ts";
import { createVault, keyIdOf, type Vault } from "./vault.ts";

/**
 * Adds a backup of the server to a place: its rows at one moment, then everything that they refer to. Objects that the place has are not sent
 * again, also those of a backup that was interrupted.
 * @throws ConfigError, ForgeError `unavailable`
 */
export async function writeBackup(config: Config, url: string, recipients: readonly string[], print: (text: string) => number): Promise<PlacedBackup> {
  const { dataDirectory, database, searchPath } = config;
  const isEmbedded = database.url === "";
  const databaseFile = join(dataDirectory, "hearth.db");
  if (!existsSync(isEmbedded ? databaseFile : join(dataDirectory, "repositories")))
    throw new ConfigError(`there is no data in ${dataDirectory}: set HEARTH_DATA to the data folder of the server`);
  const place = openPlace(url, config);
  const secretKey = findSecretKey(config);
  const vault = await createVault(recipients, secretKey);
  const startedMs = Date.now();
  // Names are in the order of the backups, also within a second.
  const created = new Date(startedMs).toISOString();
  const name = `${created.replaceAll(/[:.]/g, "")}-${randomBytes(2).toString("hex")}`;
  try {
    const scratch = await makeScratch(dataDirectory, "backup-");
    try {
      return await withMark(place, "backup", async (requireMark) => {
        const objects = await openObjectWriter(place, vault);
        const areShared = await haveSharedPacks(config);
        await using snapshot = await openSnapshot({ url: isEmbedded ? databaseFile : database.url, scratch, log: createLog("warn"), searchPath });
        const stored = await storeTables(snapshot, objects);
        const known = knownContents(dataDirectory, url, vault);
        const entries: FileRow[] = [];
        const packFiles = areShared ? stored.packFiles : undefined;
        for await (const entry of storeAllFiles({ config, objects, known: await known.read(), packFiles })) entries.push(entry);
        requireInTime(startedMs, Date.now());
        const { bytes: _unused, ...files } = await storeRows(onePage(entries), objects, ([path]) => path);
        const contents: BackupContents = {
          schema: snapshot.schema,
          lastIds: snapshot.lastIds,
          tables: stored.tables,
          files,
          nameKey: vault.nameKey ?? null,
          keyId: secretKey === undefined ? null : keyIdOf(secretKey),
        };
        const root = await objects.put(Buffer.from(JSON.stringify(contents)), { compresses: true });
        const { names, added, addedBytes } = await objects.finish();
        const references = Buffer.concat([...names].toSorted().map((one) => Buffer.from(one, "hex")));
        await place.put(keys.references(name), references);
        await requireMark();
        const manifest: PlacedManifest = {
          format: placeFormat,
          version: serverVersion,
          created,
          database: isEmbedded ? "sqlite" : "postgres",
          schema: snapshot.schema,
          bytes: stored.bytes + entries.reduce((sum, [, size]) => sum + size, 0),
          addedBytes: addedBytes + references.length,
          seconds: Math.round((Date.now() - startedMs) / 1_000),
          recipients,
          root,
        };
        await writeManifest(place, { ...manifest, name });
        await known.write(entries);
        const rows = stored.tables.reduce((sum, table) => sum + table.rows, 0);
        const sent = `${(manifest.addedBytes / 1_048_576).toFixed(1)} MiB`;
        print(`backup ${name}: ${rows} rows and ${entries.length} files; sent ${added} of ${names.size} objects (${sent}) to ${url}\n`);
        return { ...manifest, name };
      });
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  } catch (error) {
    throw storageError(error);
  }
}

/** @throws ForgeError `unavailable` */
export const writeManifest = (place: Parameters<typeof openObjectWriter>[0], { name, ...manifest }: PlacedBackup): Promise<void> =>
  place.put(keys.manifest(name), Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));

/** Scratch folders of killed processes are this old. */
const staleMs = 2 * 86_400_000;

/** Creates a scratch folder in the data folder. */
export async function makeScratch(dataDirectory: string, purpose: string): Promise<string> {
  const cache = join(dataDirectory, "cache");
  await mkdir(cache, { recursive: true, mode: 0o700 });
  for (const entry of (await readdir(cache)).filter((one) => one.startsWith("scratch-"))) {
    const { mtimeMs } = await stat(join(cache, entry));
    if (Date.now() - mtimeMs > staleMs) await rm(join(cache, entry), { recursive: true, force: true });
  }
  return mkdtemp(join(cache, `scratch-${purpose}`));
}

interface StoredTables {
  readonly tables: readonly StoredTable[];
  readonly bytes: number;
  /** The packs in a bucket that rows refer to. */
  readonly packFiles: ReadonlySet<string>;
}

async function storeTables(snapshot: RowSource, objects: ObjectWriter): Promise<StoredTables> {
  const tables: StoredTable[] = [];
  const packFiles = new Set<string>();
  let total = 0;
  for (const table of snapshot.tables) {
    const pages = snapshot.read(table, { rows: 0 });
    const column = table.columns.indexOf("file");
    const { bytes, ...rows } = await storeRows(table.name === "store_packs" ? noting(pages, column, packFiles) : pages, objects, (row) => keyOf(table, row));
    tables.push({ ...table, ...rows });
    total += bytes;
  }
  return { tables, bytes: total, packFiles };
}

async function* noting(pages: AsyncIterable<readonly CopiedRow[]>, column: number, values: Set<string>): AsyncGenerator<readonly CopiedRow[]> {
  for await (const page of pages) {
    noteValues(page, column, values);
    yield page;
  }
}

async function* onePage(rows: readonly CopiedRow[]): AsyncGenerator<readonly CopiedRow[]> {
  if (rows.length > 0) yield rows;
}

/** Remembers the objects of files that never change, so that a backup does not read them again. Can be deleted at any time. */
function knownContents(dataDirectory: string, url: string, { nameKey = "" }: Vault) {
  const digest = createHash("sha256").update(`${url}\n${nameKey}`).digest("hex").slice(0, 16);
  const path = join(dataDirectory, "cache", `backup-${digest}.jsonl`);
  return {
    async read(): Promise<KnownContents> {
      const known = new Map<string, string>();
      if (!existsSync(path)) return known;
      try {
        for (const line of (await readFile(path, "utf8")).split("\n")) {
          const [file, size, content] = JSON.parse(line) as FileRow;
          known.set(knownKey(file, size), content);
        }
      } catch {
        known.clear();
      }
      return known;
    },
    write: (entries: readonly FileRow[]): Promise<void> => replaceFile(path, entries.map((entry) => JSON.stringify(entry)).join("\n")),
  };
}
