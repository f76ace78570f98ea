import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { isForgeError } from "../../core/errors.ts";
import { onStorage, temporaryName } from "../objects/durable-fs.ts";
import { readBlob, readObject } from "../objects/objects.ts";
import { attributesBytes, findPlain, isPlainAttributes } from "../objects/plain-objects.ts";
import { rememberObject, writeObjects } from "../objects/write.ts";
import { type GitInput, runGit } from "../run/runner.ts";
import { type GitStore, materialize, quarantineOf } from "../stores.ts";
import type { GitObject, Oid } from "../types.ts";
import { type ConnectivityCheck, checkConnected } from "./connectivity.ts";
import { gatherPack, openPack, type PackLimits, readEmptyPack } from "./incoming-pack.ts";
import { packFailure } from "./pack-problems.ts";
import { promotePacks } from "./pack-promote.ts";
import { provePlainly } from "./plain-connectivity.ts";
import { readSmallPack, smallPackObjects } from "./small-pack.ts";

/**
 * Objects that were received but not accepted yet. They are in a directory of their own inside the store's objects (whose name git's
 * housekeeping knows), with the store as alternate: everything can be read through `store`, and the new objects cannot be read through the
 * store itself before {@link Quarantine.promote}.
 *
 * A small pack stays in memory as long as its objects are ordinary and proven to be connected. Before git reads or checks any of it, the
 * pack is written to disk and checked by git like any other.
 */
export interface Quarantine {
  /** Reads and writes the quarantine, and reads the underlying store. */
  readonly store: GitStore;
  /** Creates the directory, for callers that write into it directly; git creates it on its own. @throws ForgeError as `receivePack` */
  open(): Promise<void>;
  /**
   * Checks a pack object by object (git's fsck rules) and keeps it in the quarantine. The source is read to its end, or closed on an error:
   * pass `request.iterator({ destroyOnReturn: false })` for a request that still needs a response.
   */
  receivePack(source: AsyncIterable<Uint8Array>, limits: PackLimits): Promise<ReceivedPack>;
  /**
   * @throws ForgeError `invalid` if an object that a tip needs is neither here nor reachable from `knownOids`; as `receivePack` if git has
   * to check the pack after all (see `isPackRefused`)
   */
  checkConnected(tips: ConnectivityCheck): Promise<void>;
  /** Makes the objects durable and visible in the store, and removes the quarantine. */
  promote(): Promise<void>;
  /** Removes the quarantine. Safe at any time, also after `promote`; never throws. */
  discard(): Promise<void>;
}

export interface ReceivedPack {
  readonly objectCount: number;
  readonly sizeBytes: number;
}

/** Rules that old and imported histories violate harmlessly; same list as the `fsck` section of `environment.ts`. */
const strictness = "badTimezone=ignore,missingSpaceBeforeDate=ignore,zeroPaddedFilemode=ignore";
/** A limit in case git hangs. Slow senders are disconnected by the reader of the request. */
const receiveTimeoutMs = 6 * 60 * 60 * 1000;

/** @throws ForgeError `unavailable` if the storage fails */
export async function createQuarantine(store: GitStore): Promise<Quarantine> {
  await materialize(store);
  const objectsPath = join(store.objectsPath, temporaryName("tmp_objdir-incoming-"));
  const onDisk = quarantineOf(store, objectsPath);
  /** A small pack that was not passed to git. */
  let held: SmallPack | undefined;
  /** Objects of a small pack, which are also in the cache, so that no process has to read them. */
  let received: readonly GitObject[] = [];
  let opened: Promise<void> | undefined;
  let isWholly = false;

  /** Before git runs, the objects have to be on disk and checked by git. */
  async function openOnDisk(): Promise<void> {
    await onStorage(() => mkdir(join(objectsPath, "pack"), { recursive: true }));
    if (held !== undefined) await indexPack(onDisk, [held.bytes], held.limits);
  }
  const open = (): Promise<void> => {
    opened ??= openOnDisk();
    return opened;
  };
  const inside: GitStore = {
    ...onDisk,
    async environment() {
      await open();
      return onDisk.environment();
    },
  };

  async function discard(): Promise<void> {
    if (opened === undefined) return;
    await opened.catch(() => {}); // Reported to the caller that requested it.
    await store.shared.pool.closeStore(inside.key);
    await rm(objectsPath, { recursive: true, force: true }).catch((error: unknown) => {
      store.shared.log.warn({ err: error, storeId: store.id, objectsPath }, "failed to remove a quarantine");
    });
  }

  return {
    store: inside,
    open,
    discard,
    async receivePack(source, limits): Promise<ReceivedPack> {
      const pack = await openPack(source, limits);
      try {
        if (pack.objectCount === 0) return { objectCount: 0, sizeBytes: await readEmptyPack(store.format, pack) };
        const gathered = pack.objectCount > smallPackObjects ? undefined : await gatherPack(pack.bytes(), store.format, limits.signal);
        const objects = gathered?.pack && (await readSmallPack(gathered.pack, store.format, (oid) => readDeltaBase(store, oid)));
        if (opened === undefined && gathered?.pack !== undefined && objects !== undefined && (await arePlain(store, objects))) {
          held = { bytes: gathered.pack, limits };
        } else {
          await open();
          await indexPack(onDisk, gathered?.all() ?? pack.bytes(), limits);
        }
        received = objects ?? [];
        for (const object of received) rememberObject(inside, object);
        return { objectCount: pack.objectCount, sizeBytes: pack.sizeBytes() };
      } finally {
        pack.close();
      }
    },
    async checkConnected(check): Promise<void> {
      const types = new Map(received.map(({ oid, type }) => [oid, type]));
      const proven = types.size === 0 ? undefined : await provePlainly({ base: store, quarantine: inside, received: types, ...check });
      isWholly ||= proven !== undefined && proven.size === types.size;
      if (!isWholly) await open();
      if (proven === undefined) await checkConnected(inside, check);
    },
    async promote(): Promise<void> {
      if (opened === undefined && (held === undefined || isWholly)) {
        await writeObjects(store, received);
        return;
      }
      await open();
      const names = await onStorage(() => promotePacks(join(objectsPath, "pack"), join(store.objectsPath, "pack")));
      await store.shared.packs.publish(store, names);
      for (const object of received) rememberObject(store, object);
      await discard();
    },
  };
}

interface SmallPack {
  readonly bytes: Buffer;
  readonly limits: PackLimits;
}

const deltaBaseBytes = 512 * 1024;

async function readDeltaBase(store: GitStore, oid: Oid): Promise<GitObject | undefined> {
  try {
    return await readObject(store, oid, deltaBaseBytes);
  } catch (error) {
    if (isForgeError(error, "refused")) return undefined;
    throw error;
  }
}

/** Whether every object is certain to pass git's checks. */
async function arePlain(store: GitStore, objects: readonly GitObject[]): Promise<boolean> {
  const attributeOids = new Set<Oid>();
  for (const object of objects) {
    const found = findPlain(object, store.format);
    if (found === undefined) return false;
    for (const oid of found.attributeOids) attributeOids.add(oid);
  }
  for (const oid of attributeOids) {
    const arrived = objects.find((object) => object.oid === oid && object.type === "blob");
    const data = arrived?.data ?? (await readBlob(store, oid, attributesBytes))?.data;
    if (data === undefined || !isPlainAttributes(data)) return false;
  }
  return true;
}

async function indexPack(store: GitStore, stdin: GitInput, limits: PackLimits): Promise<void> {
  const outcome = await runGit(
    store,
    { name: "index-pack", flags: { "--stdin": true, "--fix-thin": true, "--strict": strictness, "--max-input-size": limits.maxBytes } },
    { stdin, accept: "any", signal: limits.signal, timeoutMs: receiveTimeoutMs },
  );
  if (outcome.code !== 0) throw packFailure(outcome);
}
