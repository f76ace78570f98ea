import type { Log } from "../core/log.ts";
import type { Db } from "../db/db.ts";
import type { Presence } from "../db/presence.ts";
import type { Announced } from "./job.ts";
import { expireLeases, listWorkers } from "./store.ts";

/** The processes that run jobs of one database. All queues of a process share one. */
export interface Workers {
  /** This process, or undefined while the others cannot see it: it takes no jobs then. */
  present(): number | undefined;
  /** Calls `listener` when other processes may take over the jobs that this one runs, and when it may take jobs again. @returns the end of listening */
  onChange(listener: (isPresent: boolean) => void): () => void;
  /** Takes over the jobs of processes that have ended, and goes on doing so every few seconds. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface WorkersDeps {
  readonly db: Db;
  readonly log: Log;
}

/** The jobs of a process that has ended go on after this time at the latest. */
const defaultIntervalMs = 3_000;

/** @throws ForgeError `unavailable` */
export async function openWorkers({ db, log }: WorkersDeps, intervalMs = defaultIntervalMs): Promise<Workers> {
  const presence = await db.join();
  // A process that is alone finds the jobs of its predecessor at the start; no others can appear later.
  const repeats = db.dialect === "postgres";
  let timer: NodeJS.Timeout | undefined;
  let look: Promise<void> = Promise.resolve();
  let isStopped = false;

  const lookLater = (): void => {
    if (isStopped || !repeats) return;
    timer = setTimeout(() => {
      look = takeOver(db, presence)
        .catch((error: unknown) => log.warn({ err: error }, "the jobs of processes that have ended could not be looked up; tried again"))
        .then(lookLater);
    }, intervalMs);
    timer.unref();
  };

  return {
    present: () => (presence.isHeld() ? presence.id() : undefined),
    onChange: presence.onChange,
    async start() {
      await takeOver(db, presence);
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

async function takeOver(db: Db, presence: Presence): Promise<void> {
  await presence.hold();
  // In this order: a process is visible before it takes its first job, so one that has a job and is not visible now has ended.
  const others = (await listWorkers(db)).filter((id) => id !== presence.id());
  const gone = await presence.findGone(others);
  if (gone.length === 0) return;
  await db.tx(async (tx) => {
    for (const kind of await expireLeases(tx, gone)) tx.announce("jobs", { kind, runAtMs: 0 } satisfies Announced);
  });
}
