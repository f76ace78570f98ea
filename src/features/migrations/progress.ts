/** What is being brought; `writing`: all is here. */
export type MigrationPhase = "code" | "wiki" | "tracker" | "large files" | "writing";

/** A migration that is under way. */
export interface RunningMigration {
  readonly id: number;
  readonly fullName: string;
  readonly address: string;
  readonly phase: MigrationPhase;
  readonly receivedBytes: number;
  readonly startedMs: number;
}

/** How far a migration is, kept by itself as it goes. */
export interface Progress {
  phase: MigrationPhase;
  /** Of packs. */
  receivedBytes: number;
}

/** Counts what comes. */
export async function* counted(pack: AsyncIterable<Uint8Array>, progress: Progress): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of pack) {
    progress.receivedBytes += chunk.length;
    yield chunk;
  }
}
