import type { Log } from "../../../../core/log.ts";
import type { JobRun } from "../../../../jobs/queue.ts";
import type { Progress } from "../progress.ts";
import { noteProgress, type OpenMigration } from "../store.ts";

/** A migration as it goes: what it notes of itself, and what ends it. */
export interface MigrationProgress extends AsyncDisposable {
  readonly progress: Progress;
  /** Aborted when somebody wants it to end, when the server does, or when another worker has taken it over. */
  readonly signal: AbortSignal;
  readonly isCancelled: boolean;
  /** Writes down how far it is, at once. */
  note(): Promise<void>;
}

const beatMs = 1_000;

/** Begins to note how far a migration is, and to hear whether it is to end. */
export async function startProgressReporting(run: JobRun<unknown>, log: Log, migration: OpenMigration): Promise<MigrationProgress> {
  const progress: Progress = { phase: "code", receivedBytes: migration.receivedBytes, resumesMs: null };
  const cancelling = new AbortController();
  const note = async (): Promise<void> => {
    if (!(await run.tx((tx) => noteProgress(tx, migration.id, progress)))) cancelling.abort(new Error("the migration was cancelled"));
  };
  await note();
  let noting = Promise.resolve();
  const beat = setInterval(() => {
    noting = note().catch((error: unknown) => log.warn({ err: error }, "how far a migration is could not be noted"));
  }, beatMs);
  return {
    progress,
    signal: AbortSignal.any([run.signal, cancelling.signal]),
    get isCancelled() {
      return cancelling.signal.aborted;
    },
    note,
    async [Symbol.asyncDispose]() {
      clearInterval(beat);
      await noting;
    },
  };
}
