import type { ErrorCode } from "../../../core/errors.ts";

/** What is being brought; `writing`: all is here. */
export type MigrationPhase = "code" | "wiki" | "tracker" | "large files" | "writing";

/** `waiting`: no worker has begun with it. */
export type MigrationState = "waiting" | "running" | "done" | "failed" | "cancelled";

/** A repository that is brought from elsewhere, and for some days what has become of it. */
export interface MigrationView {
  readonly id: number;
  readonly fullName: string;
  readonly address: string;
  readonly state: MigrationState;
  readonly phase: MigrationPhase;
  readonly receivedBytes: number;
  /** The other server lets nothing be asked before. */
  readonly resumesMs: number | null;
  /** Why it failed. */
  readonly error: string;
  readonly createdMs: number;
  readonly endedMs: number | null;
}

/** How a migration ends. */
export type MigrationEnd =
  | { readonly state: "done"; readonly repoId: number }
  | { readonly state: "failed"; readonly code: ErrorCode; readonly error: string }
  | { readonly state: "cancelled" };

/** How far a migration is, kept by itself as it goes. */
export interface Progress {
  phase: MigrationPhase;
  /** Of packs. */
  receivedBytes: number;
  resumesMs: number | null;
}

/** Counts what comes. */
export async function* counted(pack: AsyncIterable<Uint8Array>, progress: Progress): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of pack) {
    progress.receivedBytes += chunk.length;
    yield chunk;
  }
}
