import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { unavailable } from "../../core/errors.ts";
import { listPacks } from "../receive/pack-parts.ts";
import { runGit } from "../run/runner.ts";
import type { GitStore } from "../stores.ts";
import type { ObjectFormat } from "../types.ts";

/** Indexes of packs, readable after the packs are removed. */
export interface KeptIndexes extends AsyncDisposable {
  /**
   * The packs that a step has replaced: the packs that are left have all of their objects. A reader may fetch a removed pack again
   * meanwhile, so the result can be shorter than `removed`. Usually one process.
   * @throws ForgeError `unavailable` if an object is lacking
   */
  findReplaced(store: GitStore, removed: readonly string[]): Promise<readonly string[]>;
}

/** Header and fan-out table of version 2 (gitformat-pack). The sorted object ids follow. */
const headerBytes = 8;
const fanoutBytes = 256 * 4;
const oidBytes: Readonly<Record<ObjectFormat, number>> = { sha1: 20, sha256: 32 };
const oidsAtOnce = 4096;
const timeoutMs = 60 * 60 * 1000;

/**
 * Opens the indexes of packs.
 * @param names base names of their files, without extension
 */
export async function keepIndexes(directory: string, names: readonly string[]): Promise<KeptIndexes> {
  const files = new Map<string, FileHandle>();
  const close = async (): Promise<void> => {
    for (const file of files.values()) await file.close();
  };
  try {
    for (const name of names) files.set(name, await open(join(directory, `${name}.idx`)));
  } catch (error) {
    await close();
    throw error;
  }
  async function* oidLines(format: ObjectFormat, wanted: readonly string[]): AsyncGenerator<Buffer, void, undefined> {
    for (const name of wanted) {
      const file = files.get(name);
      if (file === undefined) throw new TypeError(`the index of ${name} was not kept`);
      for await (const oids of readOids(file, oidBytes[format])) yield oids;
    }
  }
  const areComplete = async (store: GitStore, wanted: readonly string[]): Promise<boolean> => {
    const flags = { "--batch-check": "%(rest)", "--buffer": true } as const;
    // An empty line for each object that exists.
    const { stdout } = await runGit(store, { name: "cat-file", flags }, { stdin: oidLines(store.format, wanted), timeoutMs });
    return !stdout.includes("missing");
  };
  return {
    async findReplaced(store, removed) {
      let names = removed;
      while (names.length > 0) {
        const isComplete = await areComplete(store, names);
        const present = new Set(listPacks(directory));
        const absent = names.filter((name) => !present.has(name));
        if (absent.length === names.length) {
          if (isComplete) return names;
          store.shared.log.error({ storeId: store.id, packs: names }, "packs of a repository are kept, because others lack some of their objects");
          throw unavailable("the repository lacks objects of the packs that it replaces", { meta: { storeId: store.id } });
        }
        names = absent;
      }
      return names;
    },
    [Symbol.asyncDispose]: close,
  };
}

/** Yields object ids as lines of hex digits, in portions. */
async function* readOids(file: FileHandle, size: number): AsyncGenerator<Buffer, void, undefined> {
  const fanout = await readAt(file, headerBytes, fanoutBytes);
  const count = fanout.readUInt32BE(fanoutBytes - 4);
  for (let at = 0; at < count; at += oidsAtOnce) {
    const portion = Math.min(oidsAtOnce, count - at);
    const oids = (await readAt(file, headerBytes + fanoutBytes + at * size, portion * size)).toString("hex");
    yield Buffer.from(Array.from({ length: portion }, (_, index) => `${oids.slice(index * size * 2, (index + 1) * size * 2)}\n`).join(""));
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, position);
  if (bytesRead !== length) throw new Error("an index of a pack is shorter than its number of objects");
  return buffer;
}
