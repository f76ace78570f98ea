import type { ErrorCode } from "../../../core/errors.ts";
import type { MigrationFailure } from "../../../core/failures.ts";

/** The part being imported; `writing`: everything has been fetched. */
export type MigrationPhase = "code" | "wiki" | "tracker" | "large files" | "writing";

/** `waiting`: no worker has started it. */
export type MigrationState = "waiting" | "running" | "done" | "failed" | "cancelled";

/** A migration, also for some days after its end. */
export interface MigrationView {
  readonly id: number;
  readonly fullName: string;
  readonly address: string;
  readonly state: MigrationState;
  readonly phase: MigrationPhase;
  readonly receivedBytes: number;
  /** When the rate limit of the source server ends. */
  readonly resumesMs: number | null;
  /** The message of a failure, for programs. */
  readonly error: string;
  /** The reason of a failure, for pages; undefined if there is none, or if an earlier version recorded none. */
  readonly failure: StoredFailure | undefined;
  readonly createdMs: number;
  readonly endedMs: number | null;
}

/** A `MigrationFailure`, or one of a later version. */
export interface StoredFailure {
  readonly code: string;
  readonly values: object;
}

export type MigrationEnd =
  | { readonly state: "done"; readonly repoId: number }
  | { readonly state: "failed"; readonly code: ErrorCode; readonly error: string; readonly failure: MigrationFailure | undefined }
  | { readonly state: "cancelled" };

/** The progress of a migration, stored periodically. */
export interface Progress {
  phase: MigrationPhase;
  /** Size of the received packs. */
  receivedBytes: number;
  resumesMs: number | null;
}

/** Counts the bytes of a pack as it is received. */
export async function* counted(pack: AsyncIterable<Uint8Array>, progress: Progress): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of pack) {
    progress.receivedBytes += chunk.length;
    yield chunk;
  }
}
