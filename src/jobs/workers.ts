import type { Log } from "../core/log.ts";
import type { Db } from "../db/db.ts";
import type { Presence } from "../db/presence.ts";
import type { Announced } from "./job.ts";
import { expireLeases, listWorkers } from "./store.ts";

/** The processes that run jobs of one database. All queues of a process share one instance. */
export interface Workers {
  /** Id of this process; undefined while other processes cannot see it, in which case it must not take jobs. */
  present(): number | undefined;
  /**
   * Calls `listener` when other processes may take over the jobs of this one, and when it may take jobs again. @returns a function that
   * unsubscribes
   */
  onChange(listener: (isPresent: boolean) => void): () => void;
  /** Calls `listener` when another process has ended: it may have left jobs and events that this one does not know of. @returns a function that unsubscribes */
  onEnded(listener: () => void): () => void;
  /** The ids of all processes that serve the database. @throws ForgeError `unavailable` */
  listRunning(): Promise<ReadonlySet<number>>;
  /** Takes over the jobs of ended processes, now and every few seconds. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface WorkersDeps {
  readonly db: Db;
  readonly log: Log;
}

/** Jobs of an ended process resume after at most this time. */
const defaultIntervalMs = 5_000;

/** @throws ForgeError `unavailable` */
export async function openWorkers({ db, log }: WorkersDeps, intervalMs = defaultIntervalMs): Promise<Workers> {
  const presence = await db.join();
  // A process on its own finds its predecessor's jobs at the start; no others can appear later.
  const repeats = db.dialect === "postgres";
  const listeners = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;
  /** The processes that were running at the last look. */
  let running: ReadonlySet<number> = new Set();
  let look: Promise<void> = Promise.resolve();
  let isStopped = false;

  const lookOnce = async (): Promise<void> => {
    const before = running;
    running = await takeOver(db, presence);
    if ([...before].some((id) => !running.has(id))) for (const listener of listeners) listener();
  };

  const lookLater = (): void => {
    if (isStopped || !repeats) return;
    timer = setTimeout(() => {
      look = lookOnce()
        .catch((error: unknown) => log.warn({ err: error }, "failed to look up the jobs of ended processes; retrying"))
        .then(lookLater);
    }, intervalMs);
    timer.unref();
  };

  return {
    present: () => (presence.isHeld() ? presence.id() : undefined),
    onChange: presence.onChange,
    onEnded(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    listRunning: presence.listRunning,
    async start() {
      await lookOnce();
      lookLater();
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await look;
      await presence.close();
    },
  };
}

/** @returns the processes that are running */
async function takeOver(db: Db, presence: Presence): Promise<ReadonlySet<number>> {
  await presence.hold();
  // In this order: a process is visible before it takes its first job, so one that has a job and is not visible now has ended.
  const others = (await listWorkers(db)).filter((id) => id !== presence.id());
  const running = await presence.listRunning();
  const gone = others.filter((id) => !running.has(id));
  if (gone.length === 0) return running;
  await db.tx(async (tx) => {
    for (const kind of await expireLeases(tx, gone)) tx.announce("jobs", { kind, runAtMs: 0 } satisfies Announced);
  });
  return running;
}
