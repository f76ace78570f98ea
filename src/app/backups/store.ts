import { randomBytes } from "node:crypto";
import { ConfigError } from "../../config/config.ts";
import { unavailable } from "../../core/errors.ts";
import type { BackupPlace, PlacedObject } from "./place.ts";
import { damaged, nameOf, type Unsealer, type Vault } from "./vault.ts";

/** The layout of a place. */
export const keys = {
  object: (name: string): string => `objects/${name.slice(0, 2)}/${name}`,
  manifest: (backup: string): string => `backups/${backup}.json`,
  /** The names of the objects of a backup, 32 bytes each: retention needs no identity. */
  references: (backup: string): string => `backups/${backup}.objects`,
};

export const placeFormat = 1;

/** The description of a backup, which is not encrypted. Written last: a backup without it is incomplete. */
export interface PlacedManifest {
  readonly format: number;
  /** Version of the program that wrote the backup. */
  readonly version: string;
  readonly created: string;
  readonly database: "sqlite" | "postgres";
  /** Number of migrations of the database. */
  readonly schema: number;
  /** Size of everything that a restore writes. */
  readonly bytes: number;
  /** Bytes that this backup added to the place. */
  readonly addedBytes: number;
  readonly seconds: number;
  /** Public keys to which the objects are encrypted. */
  readonly recipients: readonly string[];
  /** The object with the contents. */
  readonly root: string;
  /** When it was last restored and checked without problems. */
  readonly verified?: string;
}

export interface PlacedBackup extends PlacedManifest {
  readonly name: string;
}

/** The complete backups, the newest first. @throws ForgeError `unavailable` for a manifest that cannot be read */
export async function listBackups(place: BackupPlace): Promise<readonly PlacedBackup[]> {
  const backups: PlacedBackup[] = [];
  for await (const { key } of place.list("backups/")) {
    const name = /^backups\/([\w-]+)\.json$/.exec(key)?.[1];
    if (name !== undefined) backups.push(await readBackup(place, name));
  }
  return backups.toSorted((one, other) => (one.name < other.name ? 1 : -1));
}

/** @throws ConfigError if there is no such backup, or a later version wrote it; ForgeError `unavailable` for a damaged manifest */
export async function readBackup(place: BackupPlace, name: string): Promise<PlacedBackup> {
  const content = await place.get(keys.manifest(name));
  if (content === undefined) throw new ConfigError(`${place.url} has no complete backup ${name}: \`hearth backup list ${place.url}\` lists them`);
  let manifest: PlacedManifest;
  try {
    manifest = JSON.parse(content.toString("utf8")) as PlacedManifest;
  } catch (error) {
    throw unavailable(`the description of the backup ${name} in ${place.url} is damaged: use another backup`, { cause: error });
  }
  if (manifest.format !== placeFormat)
    throw new ConfigError(`the backup ${name} has format ${manifest.format}, which this version of Hearth cannot read: use version ${manifest.version}`);
  return { ...manifest, name };
}

/** @param name the newest one if undefined @throws ConfigError without a backup */
export async function findBackup(place: BackupPlace, name: string | undefined): Promise<PlacedBackup> {
  if (name !== undefined) return readBackup(place, name);
  const [newest] = await listBackups(place);
  if (newest === undefined) throw new ConfigError(`${place.url} has no complete backup`);
  return newest;
}

/** Uploads that run concurrently. */
const uploadsAtOnce = 8;

/** Adds objects to a place. Content that is there is not sent again. */
export interface ObjectWriter {
  /** Resolves when the object is accepted, which may be before it is stored. @returns its name */
  put(content: Uint8Array, options?: { readonly compresses?: boolean }): Promise<string>;
  /** Marks objects of an earlier backup as part of this one. @returns false if the place does not have all of them */
  reuse(names: readonly string[]): boolean;
  /** Resolves when all objects are durable. */
  finish(): Promise<WrittenObjects>;
}

export interface WrittenObjects {
  readonly names: ReadonlySet<string>;
  readonly added: number;
  readonly addedBytes: number;
}

export async function openObjectWriter(place: BackupPlace, vault: Vault): Promise<ObjectWriter> {
  const present = new Set<string>();
  for await (const { key } of place.list("objects/")) present.add(key.slice(key.lastIndexOf("/") + 1));
  const names = new Set<string>();
  const running = new Set<Promise<void>>();
  let failure: { readonly error: unknown } | undefined;
  let added = 0;
  let addedBytes = 0;
  const upload = async (name: string, content: Uint8Array, compresses: boolean): Promise<void> => {
    const stored = await vault.seal(content, { compresses });
    await place.put(keys.object(name), stored);
    added += 1;
    addedBytes += stored.length;
  };
  return {
    async put(content, { compresses = false } = {}) {
      const name = vault.nameOf(content);
      names.add(name);
      if (present.has(name)) return name;
      present.add(name);
      while (running.size >= uploadsAtOnce) await Promise.race(running);
      if (failure !== undefined) throw failure.error;
      const task = upload(name, content, compresses)
        .catch((error: unknown) => {
          failure ??= { error };
        })
        .finally(() => running.delete(task));
      running.add(task);
      return name;
    },
    reuse(wanted) {
      if (!wanted.every((name) => present.has(name))) return false;
      for (const name of wanted) names.add(name);
      return true;
    },
    async finish() {
      await Promise.all(running);
      if (failure !== undefined) throw failure.error;
      return { names, added, addedBytes };
    },
  };
}

/** Reads objects, and checks that each has the content of its name. */
export interface ObjectReader {
  read(name: string): Promise<Buffer>;
  /** Names have this key from now on. */
  useNameKey(key: string | undefined): void;
  /** @throws ForgeError `unavailable` if the content is not that of the name */
  require(name: string, content: Uint8Array): void;
}

export function openObjectReader(place: BackupPlace, unsealer: Unsealer): ObjectReader {
  let check: { readonly key: string | undefined } | undefined;
  const require = (name: string, content: Uint8Array): void => {
    if (check !== undefined && nameOf(content, check.key) !== name) throw damaged(name);
  };
  return {
    async read(name) {
      const stored = await place.get(keys.object(name));
      if (stored === undefined) throw unavailable(`the object ${name.slice(0, 16)} of the backup is missing: use another backup, and check the storage`);
      const content = await unsealer.open(name, stored);
      require(name, content);
      return content;
    },
    useNameKey(key) {
      check = { key };
    },
    require,
  };
}

/** A process that died leaves its mark; one that lives renews it. */
const renewMs = 60_000;
const deadMs = 10 * renewMs;

/**
 * Marks a place while work is running: a prune would delete objects that a backup counts on. Of a backup and a prune that begin at the same time,
 * at least one sees the mark of the other and is refused.
 * @param work receives a function that throws if this process was taken for dead
 */
export async function withMark<T>(place: BackupPlace, kind: "backup" | "prune", work: (requireMark: () => Promise<void>) => Promise<T>): Promise<T> {
  const own = `running/${kind}-${randomBytes(8).toString("hex")}`;
  const renew = (): Promise<void> => place.put(own, Buffer.from(`${new Date().toISOString()}\n`));
  await renew();
  const timer = setInterval(() => void renew().catch(() => {}), renewMs);
  try {
    const marks: PlacedObject[] = [];
    for await (const mark of place.list("running/")) marks.push(mark);
    const nowMs = marks.find(({ key }) => key === own)?.writtenMs ?? Date.now();
    for (const { key, writtenMs } of marks) {
      if (key === own) continue;
      if (nowMs - writtenMs > deadMs) await place.delete(key);
      else if (kind === "prune") throw unavailable(`a backup or another prune of ${place.url} is running: run the command again when it is complete`);
      else if (key.startsWith("running/prune-")) throw unavailable(`a prune of ${place.url} is running: run the command again when it is complete`);
    }
    return await work(async () => {
      for await (const { key } of place.list("running/")) if (key === own) return;
      throw unavailable(`the backup to ${place.url} was interrupted for too long, and another process has pruned the place: run the command again`);
    });
  } finally {
    clearInterval(timer);
    await place.delete(own).catch(() => {});
  }
}
