import { createHash } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type ConnectivityCheck, checkConnected } from "./connectivity.ts";
import { onStorage, temporaryName } from "./durable-fs.ts";
import { packFailure, problem } from "./pack-problems.ts";
import { promoteObjects } from "./pack-promote.ts";
import { isPlainlyConnected } from "./plain-connectivity.ts";
import { runGit } from "./runner.ts";
import { readSmallPack } from "./small-pack.ts";
import { type GitStore, materialize, quarantineOf } from "./stores.ts";
import type { GitObject, Oid } from "./types.ts";
import { rememberObject } from "./write.ts";

/**
 * Objects that have arrived and are not accepted yet. They lie in a directory of their own inside the store's objects
 * (git's own clean-up knows its name), with the store as alternate: everything can be read through `store`,
 * and nothing of them through the store itself before {@link Quarantine.promote}.
 */
export interface Quarantine {
  /** Reads and writes the quarantine, reads the store behind it. */
  readonly store: GitStore;
  /**
   * Checks a pack object by object (git's fsck rules) and keeps it here. The source is read to its end, or closed where this throws: a request
   * that is still to be answered is given as `request.iterator({ destroyOnReturn: false })`.
   */
  receivePack(source: AsyncIterable<Uint8Array>, limits: PackLimits): Promise<ReceivedPack>;
  /** @throws ForgeError `invalid` when something that a tip needs is neither here nor reachable from `knownOids` */
  checkConnected(tips: ConnectivityCheck): Promise<void>;
  /** Makes the objects durable and visible in the store; the quarantine is gone afterwards. */
  promote(): Promise<void>;
  /** Removes it. Safe at any time, also after `promote`; never throws. */
  discard(): Promise<void>;
}

export interface PackLimits {
  readonly maxBytes: number;
  /** What the pack's header may announce. */
  readonly maxObjects?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface ReceivedPack {
  readonly objectCount: number;
  readonly sizeBytes: number;
}

/** Rules that old and imported histories break without harm; the `fsck` section of `environment.ts` leaves out the same. */
const strictness = "badTimezone=ignore,missingSpaceBeforeDate=ignore,zeroPaddedFilemode=ignore";
/** A bound in case git hangs; a slow sender is ended by whoever reads the request. */
const receiveTimeoutMs = 6 * 60 * 60 * 1000;
/** index-pack reserves memory for what the header announces. */
const defaultMaxObjects = 20_000_000;

/** @throws ForgeError `unavailable` when the storage cannot take it */
export async function createQuarantine(store: GitStore): Promise<Quarantine> {
  await materialize(store);
  const objectsPath = join(store.objectsPath, temporaryName("tmp_objdir-incoming-"));
  await onStorage(() => mkdir(join(objectsPath, "pack"), { recursive: true }));
  const inside = quarantineOf(store, objectsPath);

  /** Objects of a small pack, which are in the cache too: no process needs to read them. */
  let received: readonly GitObject[] = [];

  async function discard(): Promise<void> {
    await store.shared.pool.closeStore(inside.key);
    await rm(objectsPath, { recursive: true, force: true }).catch((error: unknown) => {
      store.shared.log.warn({ err: error, storeId: store.id, objectsPath }, "a quarantine cannot be removed");
    });
  }

  return {
    store: inside,
    discard,
    async receivePack(source, limits): Promise<ReceivedPack> {
      const pack = await receivePack(inside, source, limits);
      received = pack.objects;
      for (const object of received) rememberObject(inside, object);
      return { objectCount: pack.objectCount, sizeBytes: pack.sizeBytes };
    },
    async checkConnected(check): Promise<void> {
      const known = check.knownOids instanceof Set ? (check.knownOids as ReadonlySet<Oid>) : new Set(check.knownOids);
      const types = new Map(received.map(({ oid, type }) => [oid, type]));
      if (types.size > 0 && (await isPlainlyConnected({ base: store, quarantine: inside, received: types, tipOids: check.tipOids, known }))) return;
      await checkConnected(inside, { ...check, knownOids: known });
    },
    async promote(): Promise<void> {
      await onStorage(() => promoteObjects(objectsPath, store.objectsPath));
      for (const object of received) rememberObject(store, object);
      await discard();
    },
  };
}

interface IndexedPack extends ReceivedPack {
  /** None when there are many. */
  readonly objects: readonly GitObject[];
}

async function receivePack(store: GitStore, source: AsyncIterable<Uint8Array>, limits: PackLimits): Promise<IndexedPack> {
  const pack = await openPack(source, limits);
  if (pack.objectCount === 0) return receiveEmptyPack(store, pack);
  const outcome = await runGit(
    store,
    { name: "index-pack", flags: { "--stdin": true, "--fix-thin": true, "--strict": strictness, "--max-input-size": limits.maxBytes } },
    { stdin: pack.bytes(), accept: "any", signal: limits.signal, timeoutMs: receiveTimeoutMs },
  );
  if (outcome.code !== 0) throw packFailure(outcome);
  const name = /^pack\t([0-9a-f]+)\n/.exec(outcome.stdout.toString("latin1"))?.[1];
  const objects = name === undefined ? undefined : await onStorage(() => readSmallPack(join(store.objectsPath, "pack", `pack-${name}`), store.format));
  return { objectCount: pack.objectCount, sizeBytes: pack.sizeBytes, objects: objects ?? [] };
}

interface IncomingPack {
  readonly objectCount: number;
  /** Bytes seen so far. */
  readonly sizeBytes: number;
  bytes(): AsyncGenerator<Buffer, void, undefined>;
}

const headerBytes = 12;

/** Reads a pack's header (gitformat-pack): `PACK`, version, number of objects. The bytes come out again with all others. */
async function openPack(source: AsyncIterable<Uint8Array>, limits: PackLimits): Promise<IncomingPack> {
  const input = source[Symbol.asyncIterator]();
  let sizeBytes = 0;

  async function nextChunk(): Promise<Buffer | undefined> {
    const step = await input.next();
    if (step.done === true) return undefined;
    sizeBytes += step.value.length;
    if (sizeBytes > limits.maxBytes) throw problem("too_large", `the pack is larger than ${limits.maxBytes} bytes`);
    return Buffer.from(step.value.buffer, step.value.byteOffset, step.value.byteLength);
  }

  let start: Buffer = Buffer.alloc(0);
  while (start.length < headerBytes) {
    const chunk = await nextChunk();
    if (chunk === undefined) throw problem("bad_pack", "the pack ends within its header");
    start = Buffer.concat([start, chunk]);
  }
  const version = start.readUInt32BE(4);
  if (start.toString("latin1", 0, 4) !== "PACK" || (version !== 2 && version !== 3)) throw problem("bad_pack", "what follows the commands is no pack");
  const objectCount = start.readUInt32BE(8);
  if (objectCount > (limits.maxObjects ?? defaultMaxObjects)) throw problem("too_large", `the pack announces ${objectCount} objects`);

  return {
    objectCount,
    get sizeBytes(): number {
      return sizeBytes;
    },
    async *bytes(): AsyncGenerator<Buffer, void, undefined> {
      try {
        yield start;
        for (let chunk = await nextChunk(); chunk !== undefined; chunk = await nextChunk()) yield chunk;
      } finally {
        await input.return?.();
      }
    },
  };
}

/** A push that only names objects which are here already carries a pack of nothing: it needs no process. */
async function receiveEmptyPack(store: GitStore, pack: IncomingPack): Promise<IndexedPack> {
  const digestBytes = store.format === "sha1" ? 20 : 32;
  const chunks: Buffer[] = [];
  for await (const chunk of pack.bytes()) {
    chunks.push(chunk);
    if (pack.sizeBytes > headerBytes + digestBytes) throw problem("bad_pack", "the pack holds more than it announces");
    // A client that waits for its report need not end its side before.
    if (pack.sizeBytes === headerBytes + digestBytes) break;
  }
  const whole = Buffer.concat(chunks);
  const digest = createHash(store.format).update(whole.subarray(0, headerBytes)).digest();
  if (!digest.equals(whole.subarray(headerBytes))) throw problem("bad_pack", "the pack's checksum is wrong");
  return { objectCount: 0, sizeBytes: whole.length, objects: [] };
}
