import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { createQuarantine } from "../../src/git/receive/pack.ts";
import { sortRefs } from "../../src/git/send/ref-slices.ts";
import { snapshotContent } from "../../src/git/send/ref-snapshots.ts";
import { type StoreWithRefs, withRefs } from "../../src/git/send/store-with-refs.ts";
import { type GitStore, type GitStores, type GitStoresOptions, openGitStores } from "../../src/git/stores.ts";
import type { ObjectFormat, Oid } from "../../src/git/types.ts";
import { silentLog } from "./logs.ts";
import { sharedSpawner } from "./shared-spawner.ts";
import { runProgramSync } from "./small-process.ts";

/** For tests only: stores in a temporary directory, and repositories created by the stock git. */

/** A folder for one test file; `close` deletes it. */
export interface TestStores {
  readonly stores: GitStores;
  readonly directory: string;
  /** A new empty store. */
  fresh(format?: ObjectFormat): GitStore;
  /** A new repository of a user; `close` removes it. */
  client(format?: ObjectFormat): ClientRepository;
  close(): Promise<void>;
}

export async function openTestStores(options: Partial<GitStoresOptions> = {}): Promise<TestStores> {
  const directory = await mkdtemp(join(tmpdir(), "hearth-git-"));
  const stores = await openGitStores({
    root: join(directory, "stores"),
    log: silentLog,
    searchPath: process.env.PATH ?? "",
    spawner: sharedSpawner(),
    ...options,
  });
  const clients: ClientRepository[] = [];
  let lastId = 0;
  return {
    stores,
    directory,
    fresh(format = "sha1") {
      lastId += 1;
      return stores.store(lastId, format);
    },
    client(format) {
      const client = createClient(format);
      clients.push(client);
      return client;
    },
    async close() {
      for (const client of clients) client.remove();
      await stores.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Runs several git commands in one shell, because starting a process takes longer the more memory the parent process uses. */
const commitScript = `git hash-object -w --no-filters --stdin-paths > /dev/null &&
  git update-index -z --index-info < .git/changes &&
  git commit -q --allow-empty --cleanup=verbatim "$@" &&
  git rev-parse HEAD`;

/** A user's local repository, managed with the stock git. */
export interface ClientRepository {
  readonly path: string;
  git(...args: string[]): string;
  /** Like `git`, with an input and binary output. */
  pipe(input: string | Buffer, ...args: string[]): Buffer;
  /** Writes files (undefined deletes one), commits, returns the commit. */
  commit(files: Readonly<Record<string, string | Buffer | undefined>>, options?: CommitOptions): Oid;
  /** A pack with all objects reachable from `oids` but not from `notOids`. */
  pack(oids: readonly Oid[], notOids?: readonly Oid[], flags?: readonly string[]): Buffer;
  remove(): void;
}

export interface CommitOptions {
  readonly message?: string;
  readonly author?: string;
  /** Seconds since 1970; by default each commit is one minute after the previous one. */
  readonly seconds?: number;
}

const zeroOid: Readonly<Record<ObjectFormat, Oid>> = { sha1: "0".repeat(40), sha256: "0".repeat(64) };
const firstSecond = 1_700_000_000;

export function createClient(format: ObjectFormat = "sha1"): ClientRepository {
  const path = mkdtempSync(join(tmpdir(), "hearth-client-"));
  let clock = firstSecond;
  const environment = (): NodeJS.ProcessEnv => ({
    PATH: process.env.PATH,
    HOME: path,
    TMPDIR: tmpdir(),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_AUTHOR_NAME: "Ann Author",
    GIT_AUTHOR_EMAIL: "ann@example.com",
    GIT_AUTHOR_DATE: `${clock} +0100`,
    GIT_COMMITTER_NAME: "Carl Committer",
    GIT_COMMITTER_EMAIL: "carl@example.com",
    GIT_COMMITTER_DATE: `${clock} +0100`,
    LC_ALL: "C",
  });
  const run = (program: string, input: string | Buffer, ...args: string[]): Buffer =>
    runProgramSync({ file: program, args, cwd: path, env: environment(), input });
  const pipe = (input: string | Buffer, ...args: string[]): Buffer => run("git", input, ...args);
  const git = (...args: string[]): string =>
    pipe("", ...args)
      .toString()
      .trimEnd();
  git("init", "-q", "-b", "main", `--object-format=${format}`, ".");
  /** A pending blob and its name. */
  const layDown = (content: string | Buffer, index: number): { readonly file: string; readonly oid: Oid } => {
    const file = join(path, ".git", `blob-${index}`);
    writeFileSync(file, content);
    const bytes = Buffer.from(content);
    return { file, oid: createHash(format).update(`blob ${bytes.length}\0`).update(bytes).digest("hex") };
  };

  return {
    path,
    git,
    pipe,
    commit(files, options = {}) {
      clock = options.seconds ?? clock + 60;
      const entries = Object.entries(files).map(([name, content], index) => ({ name, blob: content === undefined ? undefined : layDown(content, index) }));
      const lines = entries.map(({ name, blob }) => `${blob === undefined ? `0 ${zeroOid[format]}` : `100644 ${blob.oid}`}\t${name}\0`);
      writeFileSync(join(path, ".git", "changes"), lines.join(""));
      const blobs = entries.flatMap(({ blob }) => (blob === undefined ? [] : `${blob.file}\n`)).join("");
      const author = options.author === undefined ? [] : [`--author=${options.author}`];
      return run("sh", blobs, "-c", commitScript, "sh", ...author, "-m", options.message ?? "change")
        .toString()
        .trimEnd();
    },
    pack(oids, notOids = [], flags = []) {
      return pipe(`${[...oids, ...notOids.map((oid) => `^${oid}`)].join("\n")}\n`, "pack-objects", "--revs", "--stdout", "-q", ...flags);
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** A pack of objects that git itself would not write, with a correct checksum. */
export function rawPack(objects: readonly { type: number; data: Buffer; prefix?: Buffer }[], deflate: (data: Buffer) => Uint8Array = deflateSync): Buffer {
  const header = Buffer.alloc(12);
  header.write("PACK");
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(objects.length, 8);
  const parts: Uint8Array[] = [header];
  for (const { type, data, prefix = Buffer.alloc(0) } of objects) {
    let size = data.length;
    let byte = (type << 4) | (size & 15);
    size >>= 4;
    const bytes: number[] = [];
    while (size > 0) {
      bytes.push(byte | 0x80);
      byte = size & 0x7f;
      size >>= 7;
    }
    bytes.push(byte);
    parts.push(Buffer.from(bytes), prefix, deflate(data));
  }
  const body = Buffer.concat(parts);
  return Buffer.concat([body, createHash("sha1").update(body).digest()]);
}

/** A handle on the store whose git processes see these refs, by full name. The snapshot is deleted with the stores. */
export async function showRefs(store: GitStore, refs: Readonly<Record<string, Oid>>, headRef = "refs/heads/main"): Promise<StoreWithRefs> {
  const content = snapshotContent({ headRef, slices: sortRefs(Object.entries(refs).map(([name, oid]) => ({ name, oid, peeledOid: "" }))) });
  return withRefs(store, await store.shared.snapshots.make(store.format, "upkeep", content));
}

/** Writes a loose object into an existing store, as the git of an operator does. */
export function addLoose(store: GitStore, content: string): Oid {
  const args = ["--git-dir", store.path, "hash-object", "-w", "--stdin"];
  return runProgramSync({ file: "git", args, cwd: tmpdir(), env: process.env, input: content }).toString().trim();
}

/** Copies all objects reachable from the client's `oids` into the store, like a push. */
export async function importObjects(store: GitStore, client: ClientRepository, oids: readonly Oid[]): Promise<void> {
  const quarantine = await createQuarantine(store);
  await quarantine.receivePack(chunksOf(client.pack(oids)), { maxBytes: 1 << 30 });
  await quarantine.promote();
}

/** Adds the objects of a bundle (gitformat-bundle, v2) to the store. @returns the targets of its refs */
export async function importBundle(store: GitStore, path: string): Promise<Map<string, Oid>> {
  const bundle = await readFile(path);
  const end = bundle.indexOf("\n\n");
  const lines = bundle.toString("utf8", 0, end).split("\n").slice(1);
  const quarantine = await createQuarantine(store);
  await quarantine.receivePack(chunksOf(bundle.subarray(end + 2)), { maxBytes: 1 << 30 });
  await quarantine.promote();
  return new Map(lines.map((line) => [line.slice(line.indexOf(" ") + 1), line.slice(0, line.indexOf(" "))]));
}

/** The bytes in small chunks, like from a network. */
export async function* chunksOf(bytes: Buffer, sizeBytes = 16_384): AsyncGenerator<Buffer, void, undefined> {
  for (let offset = 0; offset < bytes.length; offset += sizeBytes) yield bytes.subarray(offset, offset + sizeBytes);
}

/** Copies each chunk, because some sources reuse its memory for the next one. */
export async function collect(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of source) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
