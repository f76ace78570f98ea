/** A program on another machine that executes jobs. */
export interface RunnerView {
  readonly id: number;
  readonly uuid: string;
  readonly repoId: number | null;
  readonly ownerId: number | null;
  readonly name: string;
  readonly version: string;
  readonly labels: readonly string[];
  readonly isEphemeral: boolean;
  readonly isDisabled: boolean;
  /** It has called within the last minute or so. */
  readonly isOnline: boolean;
  /** It has reported on a task recently. */
  readonly isBusy: boolean;
  readonly seenMs: number;
}

/** A runner counts as offline after this time without a call. Its calls are recorded every {@link seenEveryMs}. */
export const offlineAfterMs = 90_000;
export const seenEveryMs = 30_000;
const busyForMs = 10_000;

export interface StoredRunner {
  readonly id: number;
  readonly uuid: string;
  readonly repo_id: number | null;
  readonly owner_id: number | null;
  readonly name: string;
  readonly version: string;
  readonly labels: string;
  readonly is_ephemeral: number;
  readonly is_disabled: number;
  readonly seen_ms: number;
  readonly active_ms: number;
}

export const toRunner = (row: StoredRunner, nowMs: number): RunnerView => ({
  id: row.id,
  uuid: row.uuid,
  repoId: row.repo_id,
  ownerId: row.owner_id,
  name: row.name,
  version: row.version,
  labels: JSON.parse(row.labels) as readonly string[],
  isEphemeral: row.is_ephemeral === 1,
  isDisabled: row.is_disabled === 1,
  isOnline: row.seen_ms > nowMs - offlineAfterMs,
  isBusy: row.active_ms > nowMs - busyForMs,
  seenMs: row.seen_ms,
});

/** The name of a label without the part that says how the runner executes jobs: `linux` of `linux:host`. */
export const labelName = (label: string): string => label.split(":", 1)[0]?.trim() ?? "";
