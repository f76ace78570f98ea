import type { UserActor } from "../../../access/actor.ts";
import { conflict, notFound } from "../../../core/errors.ts";
import type { Log } from "../../../core/log.ts";
import type { Db } from "../../../db/db.ts";
import type { Progress, RunningMigration } from "../progress.ts";
import { cancelRunning, deleteRunning, deleteSeenBefore, insertRunning, listRunning, noteProgress } from "../store.ts";

export interface RunningDeps {
  readonly db: Db;
  readonly log: Log;
}

const beatMs = 1_000;
/** A process that says nothing for so long has ended. */
const silentMs = 60_000;

export interface Announced {
  readonly actor: UserActor;
  readonly fullName: string;
  readonly address: string;
  readonly signal: AbortSignal;
}

/**
 * Does a migration while others can see how far it is, and end it.
 * @param work is given up when the signal that it gets is aborted
 * @throws ForgeError `conflict` when somebody has ended it; whatever the work throws
 */
export async function whileSeen<T>(
  deps: RunningDeps,
  { actor, fullName, address, signal }: Announced,
  work: (progress: Progress, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { db, log } = deps;
  const progress: Progress = { phase: "code", receivedBytes: 0 };
  const cancelling = new AbortController();
  const id = await db.tx((tx) => insertRunning(tx, { accountId: actor.id, fullName, address }));
  const beat = setInterval(() => {
    db.tx((tx) => noteProgress(tx, id, progress)).then(
      (goesOn) => goesOn || cancelling.abort(),
      (error: unknown) => log.warn({ err: error }, "how far a migration is could not be noted"),
    );
  }, beatMs);
  try {
    return await work(progress, AbortSignal.any([signal, cancelling.signal]));
  } catch (error) {
    throw cancelling.signal.aborted ? conflict("the migration was cancelled", { cause: error }) : error;
  } finally {
    clearInterval(beat);
    await db.tx((tx) => deleteRunning(tx, id));
  }
}

/** What somebody's migrations are at. One statement. */
export const listRunningMigrations = ({ db }: Pick<RunningDeps, "db">, actor: UserActor): Promise<readonly RunningMigration[]> =>
  db.tx((tx) => listRunning(tx, actor.id, tx.nowMs - silentMs));

/** Ends a migration; it leaves nothing. @throws ForgeError `not_found` */
export async function cancelMigration({ db }: Pick<RunningDeps, "db">, actor: UserActor, id: number): Promise<void> {
  if (!(await db.tx((tx) => cancelRunning(tx, actor.id, id)))) throw notFound();
}

/** Forgets the migrations of processes that have ended. */
export const forgetEnded = ({ db }: Pick<RunningDeps, "db">): Promise<void> => db.tx((tx) => deleteSeenBefore(tx, tx.nowMs - silentMs));
