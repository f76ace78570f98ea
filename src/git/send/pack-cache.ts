import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { unavailable } from "../../core/errors.ts";
import type { Log } from "../../core/log.ts";
import { createSpool, type Spool } from "./pack-spool.ts";

/**
 * A bounded disk cache of complete answers of upload-pack. An answer is streamed while it is being made: whoever asks for the
 * same key meanwhile reads the same file from its start. The files belong to this process alone and are cleared when it starts,
 * so an answer that a crash cut short is never found again.
 */
export interface PackCache {
  /** The answer for a key, from the cache or made now. Nothing runs before the first piece is asked for; each is good until the next one is. */
  stream(request: PackCacheRequest): AsyncGenerator<Buffer, void, undefined>;
  /** Forgets every answer of a group; those who are reading one read on. */
  dropGroup(group: string): void;
  /** Removes the answers that are too old. Runs by itself at intervals. */
  sweep(): void;
  readonly counters: Readonly<PackCacheCounters>;
  /** Ends what is being made and removes all files; who reads a finished answer reads on. */
  close(): Promise<void>;
}

export interface PackCacheRequest {
  /** Digest of everything that the answer depends on. */
  readonly key: string;
  /** What {@link PackCache.dropGroup} forgets together: the store. */
  readonly group: string;
  /** Its signal ends the making once nobody waits for it. An answer that throws is never kept. */
  readonly make: (signal: AbortSignal) => AsyncIterable<Buffer>;
  /** The reader's own: it leaves at once, also while nothing comes. */
  readonly signal?: AbortSignal | undefined;
}

export interface PackCacheCounters {
  made: number;
  /** Answers read from a finished file. */
  hits: number;
  /** Answers read while somebody else's was being made. */
  shared: number;
  /** Bytes on disk now. */
  storedBytes: number;
}

export interface PackCacheOptions {
  /** Holds nothing else: its content is removed at the start. */
  readonly directory: string;
  readonly log: Log;
  /** All files together. */
  readonly maxBytes: number;
  /** One answer; what is larger is streamed past the cache. */
  readonly maxEntryBytes: number;
  readonly maxAgeMs: number;
  /** Age at which an answer goes that was requested only once. An hour by default. */
  readonly maxUnusedAgeMs?: number;
  /**
   * Bytes that a group can always use; 32 MiB by default. Beyond them, its answers together may hold four times its largest one, which is about
   * the size of the repository: more of them would mostly be answers for former states of its refs.
   */
  readonly minGroupBytes?: number;
  /** Milliseconds that never go back. */
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
/** Largest answers that a group may hold in bytes. */
const groupFactor = 4;

/** Keys whose answers were too large are remembered, so that they are not spooled again. */
const rememberedOversizes = 1000;

/** @throws ForgeError `unavailable` when the directory cannot be used */
export async function openPackCache(options: PackCacheOptions): Promise<PackCache> {
  const { directory, log } = options;
  const { maxUnusedAgeMs = hourMs, minGroupBytes = 32 * 1024 * 1024 } = options;
  const now = options.now ?? (() => performance.now());
  /** In the order of their last use. */
  const entries = new Map<string, Entry>();
  const oversized = new Set<string>();
  /** Also those that are forgotten and still read. */
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

  /** Keeps the answers of a group within its share: first those go that were never reused, then the least recently used ones. */
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

  /** Makes room by forgetting the least recently used complete answers that nobody reads. */
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

  return {
    counters,
    async *stream(request: PackCacheRequest): AsyncGenerator<Buffer, void, undefined> {
      const found = entries.get(request.key);
      if (found?.spool.state() === "complete") {
        if (!tooOld(found) && found.spool.isIntact()) {
          if (entries.delete(request.key)) entries.set(request.key, found);
          found.reuses += 1;
          counters.hits += 1;
          return yield* found.spool.read(request.signal);
        }
        forget(request.key, found);
      }
      let current = entries.get(request.key);
      if (current?.spool.abandoned() === true) {
        forget(request.key, current);
        current = undefined;
      }
      if (closed || oversized.has(request.key) || current?.spool.overflowed() === true) return yield* uncached(request);
      if (current !== undefined) {
        counters.shared += 1;
        current.reuses += 1;
      }
      yield* (current ?? create(request)).spool.read(request.signal);
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
