import type { Log } from "../../../../core/log.ts";
import type { JobRun } from "../../../../jobs/queue.ts";
import type { Progress } from "../progress.ts";
import { noteProgress, type OpenMigration } from "../store.ts";

/** A running migration: records its progress and provides its abort signal. */
export interface MigrationProgress extends AsyncDisposable {
  readonly progress: Progress;
  /** Aborted if the migration is cancelled, the server stops, or another worker has taken over. */
  readonly signal: AbortSignal;
  readonly isCancelled: boolean;
  /** Stores the progress immediately. */
  note(): Promise<void>;
}

const beatMs = 1_000;

/** Starts recording the progress of a migration and watching for its cancellation. */
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
