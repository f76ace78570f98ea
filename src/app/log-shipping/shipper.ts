import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import { createLogReader, type FollowedDatabase, type LogFollower, type LogGroup, LogLostError, type LogReader } from "../../db/sqlite-follow.ts";
import { baseFormat, copyDatabase, copyTracked, sealBase } from "./base.ts";
import { type Head, type LogPlace, readHead } from "./place.ts";
import { pruneLog } from "./prune.ts";
import type { Sealed } from "./sealed.ts";
import { sealSegment } from "./segment.ts";
import { prepareFiles } from "./segment-files.ts";
import type { LogStatus } from "./status.ts";

export interface ShipperOptions {
  readonly place: LogPlace;
  readonly dataDirectory: string;
  /** Whether uploaded files are in the data folder. */
  readonly hasUploads: boolean;
  /** Identifies this server among those that might write to the same place. */
  readonly writer: string;
  readonly version: string;
  readonly secretKey: string | undefined;
  /** Size of the log of the database above which it is given up. */
  readonly maxLogBytes: number;
  /** How long earlier states stay restorable. */
  readonly keptMs: number;
  readonly clock: Clock;
  readonly log: Log;
  /** Called after a change of the status, and every few seconds. */
  readonly onStatus: (status: LogStatus) => void;
}

export interface LogShipper {
  readonly follower: LogFollower;
  /** Notes a file before a transaction may refer to it. */
  note(path: string): void;
  start(): void;
  status(): LogStatus;
  /** Sends what is left, if the bucket answers in time. */
  stop(): Promise<void>;
}

/** Segments that continue one base. */
interface Generation {
  readonly id: string;
  readonly reader: LogReader;
  /** Groups that were read and are not part of a segment yet. */
  readonly taken: LogGroup[];
  /** Files to upload before the next segment. */
  readonly files: Set<string>;
  readonly startedMs: number;
  /** The last segment. */
  number: number;
  /** Digest of the last segment, or of the base. */
  digest: string;
  /** The same bytes are sent until they have arrived. */
  sending: { readonly sealed: Sealed; readonly firstMs: number; readonly lastMs: number; readonly files: readonly string[] } | undefined;
  /** Time of the newest state in the bucket. */
  shippedMs: number;
}

const intervalMs = 250;
const idleMs = 400;
const headMs = 10_000;
/** A server that has not written the head for this long has ended. */
const silentMs = 60_000;
const baseMs = 86_400_000;
/** A restore reads all segments of a generation. */
const maxSegments = 20_000;
const readBytes = 8 * 1_048_576;
/** Most bytes of the log that are kept in memory to let it be restarted. */
const takenBytes = 16 * 1_048_576;
const failurePausesMs = [1_000, 2_000, 5_000];
const stopMs = 10_000;

export function createLogShipper(options: ShipperOptions): LogShipper {
  const { place, clock, log } = options;
  const { client, keys } = place;
  let database: FollowedDatabase | undefined;
  /** The generation whose base is in the bucket. */
  let active: Generation | undefined;
  /** The generation whose base is being copied: the database file must not change. */
  let next: Generation | undefined;
  let lastMs = 0;
  /** No generation has what was acknowledged since. */
  let uncoveredMs: number | undefined;
  let failure: { readonly text: string; readonly sinceMs: number } | undefined;
  let copying: Promise<void> | undefined;
  let pruning: Promise<void> | undefined;
  const stopping = new AbortController();
  let isStopping = false;
  let running: Promise<void> | undefined;
  let beating: Promise<void> | undefined;
  let wake: () => void = () => {};
  let isIdle = false;

  /** Sleeps until the time has passed, or `wake` is called. */
  const rest = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  /** Sleeps until the next change. Those of tools in other processes are found by looking for them. */
  const restIdle = async (): Promise<void> => {
    isIdle = true;
    await rest(idleMs);
    isIdle = false;
    await database?.look();
  };

  /** One step at a time writes to the bucket. */
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work, work);
    last = done.catch(() => {});
    return done;
  };

  /** Never goes back. */
  const now = (): number => {
    lastMs = Math.max(lastMs, clock.now());
    return lastMs;
  };

  function giveUp(reason: string): void {
    uncoveredMs ??= (active && oldestMs(active)) ?? now();
    active = undefined;
    next = undefined;
    log.warn({ reason }, "the log of the database was not shipped in time: a new copy of the database will be shipped");
  }

  const follower: LogFollower = {
    opened(opened) {
      const isRepair = database !== undefined;
      database = opened;
      if (!isRepair) uncoveredMs = now();
      else if (next !== undefined || (active?.reader.unreadBytes() ?? 0) > 0) giveUp("the database was repaired");
    },
    durable(mark) {
      const timed = { ...mark, timeMs: now() };
      active?.reader.add(timed);
      next?.reader.add(timed);
      if (isIdle) wake();
    },
    mayRestart({ frames }) {
      if (active === undefined && next === undefined) return true;
      if (frames * 4_120 > options.maxLogBytes) {
        giveUp("the log is larger than log_shipping.max_waiting_bytes");
        return true;
      }
      if (next !== undefined || active === undefined) return false;
      if (active.reader.unreadBytes() + sizeOf(active.taken) > takenBytes) return false;
      try {
        active.taken.push(...active.reader.read(Number.POSITIVE_INFINITY));
      } catch (error) {
        giveUp((error as Error).message);
      }
      return true;
    },
  };

  /** Sends one segment, if there are changes. @returns whether there were */
  async function ship(generation: Generation): Promise<boolean> {
    if (generation.sending === undefined) {
      if (generation.taken.length === 0) generation.taken.push(...generation.reader.read(readBytes));
      const groups = [...generation.taken];
      const [first, final] = [groups[0], groups.at(-1)];
      if (first === undefined || final === undefined) return false;
      // Noted before the transactions that refer to them, which the groups may contain.
      const paths = [...generation.files];
      const files = await prepareFiles(place, options.dataDirectory, paths);
      const sealed = await sealSegment({ generation: generation.id, number: generation.number + 1, previous: generation.digest, groups, ...files });
      generation.taken.splice(0, groups.length);
      generation.sending = { sealed, firstMs: first.timeMs, lastMs: final.timeMs, files: paths };
    }
    const { sealed, lastMs: shippedMs, files } = generation.sending;
    await client.put(keys.segment(generation.id, generation.number + 1), sealed.bytes);
    generation.number += 1;
    generation.digest = sealed.digest;
    generation.shippedMs = shippedMs;
    generation.sending = undefined;
    for (const path of files) generation.files.delete(path);
    return true;
  }

  async function writeHead(isStopped = false): Promise<void> {
    if (active === undefined) return;
    const head: Head = { writer: options.writer, generation: active.id, number: active.number, timeMs: clock.now(), isStopped };
    const present = await readHead(place);
    if (present !== undefined && present.writer !== options.writer && present.generation !== active.id && isLive(present)) {
      giveUp("another server writes to the same place");
      throw otherWriter(present);
    }
    await client.put(keys.head, Buffer.from(JSON.stringify(head)));
    recovered();
  }

  /** Shows that this server is alive, also while a large file is sent. */
  async function beat(): Promise<void> {
    while (!isStopping) {
      await sleep(headMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (isStopping) return;
      await writeHead().catch(failed);
      options.onStatus(status());
    }
  }

  const isLive = ({ isStopped, timeMs }: Head): boolean => !isStopped && clock.now() - timeMs < silentMs;
  const otherWriter = ({ writer }: Head): Error =>
    new Error(
      `another server ships its log to the same place (${writer}): set log_shipping.url of one of them to another place, or wait a minute after it has ended`,
    );

  /** Copies the database and all files, and begins a generation with them. */
  async function copyBase(): Promise<void> {
    const source = database;
    if (source === undefined) return;
    await pruning;
    const head = await readHead(place);
    if (head !== undefined && head.writer !== options.writer && isLive(head)) throw otherWriter(head);
    const assertRunning = (): void => {
      if (isStopping) throw new Error("the server stops");
    };
    // Most files, while the log of the database may be restarted.
    await copyTracked(place, options, assertRunning);
    let begun: Generation | undefined;
    const isCopied = await source.checkpoint((mark) => {
      const startedMs = now();
      const id = `${startedMs.toString().padStart(15, "0")}-${randomBytes(4).toString("hex")}`;
      const reader = createLogReader(source.path, mark);
      begun = { id, reader, taken: [], files: new Set(), startedMs, number: 0, digest: "", sending: undefined, shippedMs: startedMs };
      next = begun;
    });
    const generation = begun as Generation | undefined;
    if (!isCopied || generation === undefined)
      throw new Error("another process reads an earlier state of the database, or the bucket is behind: the copy waits for it");
    const assertWanted = (): void => {
      assertRunning();
      if (next !== generation) throw new Error("the copy of the database was given up");
    };
    try {
      const copied = await copyDatabase(place, source, assertWanted);
      const files = await copyTracked(place, options, assertWanted);
      const { databaseBytes, chunks } = copied;
      const { hasUploads, secretKey, version } = options;
      const header = { format: baseFormat, version, generation: generation.id, timeMs: generation.startedMs, databaseBytes, hasUploads };
      const sealed = await sealBase(header, { chunks, files, secretKey });
      await inTurn(async () => {
        generation.digest = sealed.digest;
        // The generation before is the newest complete one until this one has all of its changes.
        do assertWanted();
        while ((await ship(generation)) && generation.reader.unreadBytes() > readBytes);
        await client.put(keys.base(generation.id), sealed.bytes);
        assertWanted();
        active = generation;
        uncoveredMs = undefined;
      });
    } finally {
      if (next === generation) next = undefined;
    }
    await writeHead();
    pruning = prune(generation);
  }

  /** Ends when another base is needed, which might use what is deleted. */
  async function prune(generation: Generation): Promise<void> {
    const assertWanted = (): void => {
      if (active !== generation || isStopping) throw new Error("interrupted");
    };
    const deleted = pruneLog(place, { beforeMs: clock.now() - options.keptMs, current: generation.id, assertWanted });
    await deleted.catch((error: unknown) => log.info({ err: error }, "old parts of the log in the bucket will be deleted later"));
  }

  const needsBase = (): boolean => active === undefined || active.number >= maxSegments || (active.number > 0 && clock.now() - active.startedMs >= baseMs);

  function failed(error: unknown): void {
    const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : "";
    const text = error instanceof Error ? error.message + cause : String(error);
    if (failure === undefined) log.warn({ err: error }, "the log of the database could not be shipped; it is tried again");
    failure = { text, sinceMs: failure?.sinceMs ?? clock.now() };
    options.onStatus(status());
  }

  function recovered(): void {
    if (failure === undefined) return;
    failure = undefined;
    log.info({}, "the log of the database is shipped again");
    options.onStatus(status());
  }

  async function run(): Promise<void> {
    let failures = 0;
    let mayCopyAt = 0;
    while (!isStopping) {
      const began = performance.now();
      if (copying === undefined && needsBase() && began >= mayCopyAt) {
        copying = copyBase()
          .then(recovered, (error: unknown) => {
            mayCopyAt = performance.now() + (failurePausesMs.at(-1) ?? 0);
            if (!isStopping) failed(error);
          })
          .finally(() => {
            copying = undefined;
            if (isIdle) wake();
          });
      }
      try {
        const had = await inTurn(async () => {
          const generation = active;
          if (generation === undefined) return false;
          return ship(generation);
        });
        if (had) recovered();
        failures = 0;
        if (isStopping) break;
        if (had) await rest(intervalMs - (performance.now() - began));
        else await restIdle();
      } catch (error) {
        if (error instanceof LogLostError) giveUp(error.message);
        failed(error);
        await rest(failurePausesMs[Math.min(failures, failurePausesMs.length - 1)] ?? 0);
        failures += 1;
      }
    }
  }

  function status(): LogStatus {
    const oldest = uncoveredMs ?? (active && oldestMs(active));
    const waiting = active === undefined ? 0 : active.reader.unreadBytes() + sizeOf(active.taken) + (active.sending?.sealed.bytes.length ?? 0);
    return {
      lagMs: oldest === undefined ? 0 : Math.max(0, clock.now() - oldest),
      lagBytes: waiting,
      shippedMs: active?.shippedMs,
      baseMs: active?.startedMs,
      hasBase: active !== undefined,
      failure: failure?.text,
      failedSinceMs: failure?.sinceMs,
      atMs: clock.now(),
    };
  }

  return {
    follower,
    note(path) {
      active?.files.add(path);
      next?.files.add(path);
    },
    start() {
      running = run();
      beating = beat();
    },
    status,
    async stop() {
      isStopping = true;
      stopping.abort();
      wake();
      const finish = async (): Promise<void> => {
        await Promise.all([running, beating, copying, pruning]);
        await inTurn(async () => {
          while (active !== undefined && (await ship(active)));
          await writeHead(true);
        });
      };
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, stopMs);
      });
      await Promise.race([finish().catch((error: unknown) => failed(error)), late]);
      clearTimeout(timer);
      options.onStatus(status());
    },
  };
}

const oldestMs = ({ sending, taken, reader }: Generation): number | undefined => sending?.firstMs ?? taken[0]?.timeMs ?? reader.oldestMs();

const sizeOf = (groups: readonly LogGroup[]): number => groups.reduce((sum, { pages }) => sum + pages.size * ([...pages.values()][0]?.length ?? 0), 0);
