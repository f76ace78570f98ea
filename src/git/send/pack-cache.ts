import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { unavailable } from "../../core/errors.ts";
import { type Enter, inPlace } from "../../core/lanes.ts";
import type { Log } from "../../core/log.ts";
import { createSpool, type Spool } from "./pack-spool.ts";

/**
 * A bounded disk cache of complete upload-pack responses. A response is streamed while it is produced: concurrent requests for the same key
 * read the same file from its start. The files belong to this process and are deleted when it starts, so a response truncated by a crash is
 * never served.
 */
export interface PackCache {
  /**
   * Streams the response for a key, from the cache or newly produced. Starts on the first read; each chunk is valid until the next read.
   */
  stream(request: PackCacheRequest): AsyncGenerator<Buffer, void, undefined>;
  /** Drops all responses of a group; current readers continue. */
  dropGroup(group: string): void;
  /** Removes expired responses. Also runs at intervals. */
  sweep(): void;
  readonly counters: Readonly<PackCacheCounters>;
  /** Aborts running producers and deletes all files; readers of a finished response continue. */
  close(): Promise<void>;
}

export interface PackCacheRequest {
  /** Digest of all inputs of the response. */
  readonly key: string;
  /** Unit of {@link PackCache.dropGroup}: the store. */
  readonly group: string;
  /** Produces the response. The signal aborts it once it has no readers. A failed response is never kept. */
  readonly make: (signal: AbortSignal) => AsyncIterable<Buffer>;
  /** Waits for a place in a lane before the response is made; not called for a response of the cache, or to share one that is being made. */
  readonly enter?: Enter | undefined;
  /** The reader's own signal, which takes effect immediately, even without data. */
  readonly signal?: AbortSignal | undefined;
}

export interface PackCacheCounters {
  made: number;
  /** Responses read from a finished file. */
  hits: number;
  /** Responses shared with a running producer. */
  shared: number;
  /** Bytes on disk now. */
  storedBytes: number;
}

export interface PackCacheOptions {
  /** Used only by the cache: its content is deleted at the start. */
  readonly directory: string;
  readonly log: Log;
  /** Maximum size of all files together. */
  readonly maxBytes: number;
  /** Maximum size of one response; larger ones are streamed without caching. */
  readonly maxEntryBytes: number;
  readonly maxAgeMs: number;
  /** Age at which a response that was requested only once is removed. Default: one hour. */
  readonly maxUnusedAgeMs?: number;
  /**
   * Bytes that a group may always use; 32 MiB by default. Beyond that, its responses together may have four times the size of its largest
   * one, which is about the size of the repository: more would mostly be responses for former states of its refs.
   */
  readonly minGroupBytes?: number;
  /** Monotonic clock in milliseconds. */
  readonly now?: () => number;
}

interface Entry {
  readonly group: string;
  readonly spool: Spool;
  finishedMs: number;
  /** Requests after the first one. */
  reuses: number;
}

const hourMs = 3_600_000;
const sweepIntervalMs = 10 * 60_000;
/** Limit of a group's size, as a multiple of its largest response. */
const groupFactor = 4;

/** Keys of responses that were too large are remembered, so that they are not spooled again. */
const rememberedOversizes = 1000;

/** @throws ForgeError `unavailable` if the directory cannot be used */
export async function openPackCache(options: PackCacheOptions): Promise<PackCache> {
  const { directory, log } = options;
  const { maxUnusedAgeMs = hourMs, minGroupBytes = 32 * 1024 * 1024 } = options;
  const now = options.now ?? (() => performance.now());
  /** Ordered by last use. */
  const entries = new Map<string, Entry>();
  const oversized = new Set<string>();
  /** Includes dropped spools that still have readers. */
  const spools = new Set<Spool>();
  let closed = false;
  const counters: PackCacheCounters = { made: 0, hits: 0, shared: 0, storedBytes: 0 };

  try {
    await rm(directory, { recursive: true, force: true });
    await mkdir(directory, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw unavailable("the directory of the pack cache cannot be used", { cause: error, meta: { directory } });
  }

  function forget(key: string, entry: Entry): void {
    if (entries.get(key) === entry) entries.delete(key);
    entry.spool.discard();
  }

  const isIdle = ({ spool }: Entry): boolean => spool.state() === "complete" && spool.readers() === 0;

  /** Reduces a group to its share: removes responses that were never reused first, then the least recently used ones. */
  function trimGroup(group: string, latest: Entry): void {
    const members = [...entries].filter(([, entry]) => entry.group === group);
    const sizes = members.map(([, { spool }]) => spool.storedBytes());
    const limit = Math.max(minGroupBytes, groupFactor * Math.max(...sizes));
    let total = sizes.reduce((sum, size) => sum + size, 0);
    for (const [key, entry] of members.toSorted(([, a], [, b]) => Math.min(a.reuses, 1) - Math.min(b.reuses, 1))) {
      if (total <= limit) return;
      if (entry === latest || !isIdle(entry)) continue;
      total -= entry.spool.storedBytes();
      forget(key, entry);
    }
  }

  /** Makes room by dropping the least recently used complete responses without readers. */
  function reserve(growthBytes: number): boolean {
    for (const [key, entry] of entries) {
      if (counters.storedBytes + growthBytes <= options.maxBytes) break;
      if (isIdle(entry)) forget(key, entry);
    }
    if (counters.storedBytes + growthBytes > options.maxBytes) return false;
    counters.storedBytes += growthBytes;
    return true;
  }

  function create(request: PackCacheRequest): Entry {
    let entryBytes = 0;
    const entry: Entry = {
      group: request.group,
      finishedMs: Number.POSITIVE_INFINITY,
      reuses: 0,
      spool: createSpool({
        path: join(directory, randomUUID()),
        make: request.make,
        reserve(growthBytes) {
          if (entryBytes + growthBytes <= options.maxEntryBytes && reserve(growthBytes)) {
            entryBytes += growthBytes;
            return true;
          }
          return false;
        },
        release(bytes) {
          counters.storedBytes -= bytes;
        },
        onWriteFailure(error) {
          log.warn({ err: error, directory }, "the pack cache cannot be written");
        },
        onSettled() {
          entry.finishedMs = now();
          if (entry.spool.overflowed()) rememberOversized(request.key);
          if (entry.spool.overflowed() || entry.spool.state() === "failed") forget(request.key, entry);
          else trimGroup(entry.group, entry);
        },
      }),
    };
    entries.set(request.key, entry);
    spools.add(entry.spool);
    void entry.spool.gone.then(() => spools.delete(entry.spool));
    counters.made += 1;
    return entry;
  }

  function rememberOversized(key: string): void {
    oversized.add(key);
    for (const oldest of oversized) {
      if (oversized.size <= rememberedOversizes) break;
      oversized.delete(oldest);
    }
  }

  const tooOld = (entry: Entry): boolean => now() - entry.finishedMs > (entry.reuses === 0 ? Math.min(maxUnusedAgeMs, options.maxAgeMs) : options.maxAgeMs);

  function sweep(): void {
    for (const [key, entry] of entries) if (tooOld(entry)) forget(key, entry);
  }
  const sweeping = setInterval(sweep, sweepIntervalMs).unref();

  async function* uncached(request: PackCacheRequest): AsyncGenerator<Buffer, void, undefined> {
    const abort = new AbortController();
    const signal = request.signal === undefined ? abort.signal : AbortSignal.any([abort.signal, request.signal]);
    counters.made += 1;
    try {
      yield* request.make(signal);
    } finally {
      abort.abort();
    }
  }

  /** The response if it is in the cache or is being made. */
  function findKept(request: PackCacheRequest): AsyncGenerator<Buffer, void, undefined> | undefined {
    const found = entries.get(request.key);
    if (found?.spool.state() === "complete") {
      if (!tooOld(found) && found.spool.isIntact()) {
        if (entries.delete(request.key)) entries.set(request.key, found);
        found.reuses += 1;
        counters.hits += 1;
        return found.spool.read(request.signal);
      }
      forget(request.key, found);
    }
    const current = entries.get(request.key);
    if (current?.spool.abandoned() === true) forget(request.key, current);
    else if (current?.spool.overflowed() === false && !closed && !oversized.has(request.key)) {
      counters.shared += 1;
      current.reuses += 1;
      return current.spool.read(request.signal);
    }
    return undefined;
  }

  function begin(request: PackCacheRequest): AsyncGenerator<Buffer, void, undefined> {
    const isKept = !closed && !oversized.has(request.key) && entries.get(request.key) === undefined;
    return isKept ? create(request).spool.read(request.signal) : uncached(request);
  }

  return {
    counters,
    async *stream(request: PackCacheRequest): AsyncGenerator<Buffer, void, undefined> {
      const found = findKept(request);
      if (found !== undefined) return yield* found;
      const place = await request.enter?.(request.signal);
      if (place === undefined) return yield* begin(request);
      // Another request may have made the response meanwhile.
      const made = findKept(request);
      if (made === undefined) return yield* inPlace(place, begin(request));
      place.leave();
      yield* made;
    },
    dropGroup(group: string): void {
      for (const [key, entry] of entries) if (entry.group === group) forget(key, entry);
    },
    sweep,
    async close(): Promise<void> {
      closed = true;
      clearInterval(sweeping);
      const stopped = [...spools].map((spool) => spool.stop());
      for (const [key, entry] of entries) forget(key, entry);
      await Promise.all(stopped);
      await rm(directory, { recursive: true, force: true });
    },
  };
}
