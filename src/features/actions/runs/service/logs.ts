import { LRUCache } from "lru-cache";
import type { Reader } from "../../../../db/db.ts";
import { findPlaceById } from "../../../repositories/repos/service/find.ts";
import type { RunnerView } from "../../runners/model.ts";
import { noteActive } from "../../runners/service/runners.ts";
import { openSecrets } from "../../secrets/service/secrets.ts";
import type { LogLine, TaskRow } from "../model.ts";
import { findRun } from "../store/runs.ts";
import { insertLogPart, listLogParts, updateTask } from "../store/tasks.ts";
import type { RunsDeps } from "./deps.ts";
import { jobToken } from "./job-token.ts";
import { leaseMs, taskOf } from "./tasks.ts";

/** A longer log ends with a note; the runner goes on. */
export const maxLogBytes = 64 * 1024 * 1024;
const maxLineLength = 64 * 1024;
const maxLinesAtOnce = 20_000;
const minMaskedLength = 3;

/** Texts that a log of a task must not contain, longest first. */
export type Masks = (task: TaskRow) => Promise<readonly string[]>;

export function createMasks(deps: Pick<RunsDeps, "db" | "sealer">): Masks {
  // Short-lived, so that a secret that is added during a job is masked in later jobs.
  const kept = new LRUCache<number, readonly string[]>({ max: 500, ttl: 60_000 });
  return async (task) => {
    const known = kept.get(task.id);
    if (known !== undefined) return known;
    const run = await findRun(deps.db, task.repoId, task.runId);
    const repository = await findPlaceById(deps, task.repoId);
    const secrets =
      run === undefined || run.isFromFork || repository === undefined ? [] : [...(await openSecrets(deps, repository.id, repository.ownerId)).values()];
    const texts = [...secrets.flatMap((value) => [value, ...value.split("\n")]), jobToken(deps.sealer, task.id)];
    const masks = [...new Set(texts.map((text) => text.trim()).filter((text) => text.length >= minMaskedLength))].sort((a, b) => b.length - a.length);
    kept.set(task.id, masks);
    return masks;
  };
}

const hide = (text: string, masks: readonly string[]): string => masks.reduce((shown, mask) => shown.replaceAll(mask, "***"), text);

export interface LogAppend {
  readonly taskId: number;
  /** Index of the first line. */
  readonly index: number;
  readonly lines: readonly LogLine[];
  /** The log is complete. */
  readonly isLast: boolean;
}

/**
 * Appends lines to a log. They are durable when this resolves. Lines that are known already are skipped, and a gap is refused: the answer
 * is the number of lines that the log has.
 * @throws ForgeError `not_found`
 */
export async function appendLog(deps: RunsDeps & { readonly masks: Masks }, runner: RunnerView, given: LogAppend): Promise<number> {
  const known = await taskOf(deps.db, runner, given.taskId);
  const masks = await deps.masks(known);
  const offered = given.lines.slice(0, maxLinesAtOnce).map(([timeMs, text]) => [timeMs, hide(clean(text), masks)] as const);
  return deps.db.tx(async (tx) => {
    const task = await taskOf(tx, runner, given.taskId);
    const skipped = task.logRows - given.index;
    if (task.isLogClosed || skipped < 0) return task.logRows;
    const fresh = offered.slice(skipped);
    const isComplete = given.isLast && given.lines.length <= maxLinesAtOnce;
    if (fresh.length === 0 && !isComplete) return task.logRows;
    const size = fresh.reduce((sum, [, text]) => sum + text.length + 16, 0);
    const hasRoom = task.logBytes < maxLogBytes;
    const stored = hasRoom && task.logBytes + size >= maxLogBytes ? [...fresh.slice(0, 1), cutOff(tx.nowMs)] : fresh;
    if (hasRoom && stored.length > 0) await insertLogPart(tx, task.id, task.logRows, stored);
    const rows = task.logRows + fresh.length;
    await updateTask(tx, task.id, {
      log_rows: rows,
      log_bytes: task.logBytes + size,
      ...(task.status === "running" && { is_reported: 1, lease_until_ms: tx.nowMs + leaseMs }),
      ...(isComplete && { is_log_closed: 1 }),
    });
    await noteActive(tx, runner.id, tx.nowMs);
    tx.announce("actions", { taskId: task.id });
    return rows;
  });
}

const cutOff = (nowMs: number): LogLine => [nowMs, `This log exceeds ${maxLogBytes / 1024 / 1024} MiB: the rest is not stored.`];

/** PostgreSQL stores no U+0000. */
const clean = (text: string): string => (text.length > maxLineLength ? `${text.slice(0, maxLineLength)}…` : text).replaceAll("\0", "").toWellFormed();

/** The lines of a log from a row on, at most a few thousand at once. @returns the row after the last line */
export async function readLog(
  db: Reader,
  taskId: number,
  fromRow: number,
  maxParts = 50,
): Promise<{ readonly lines: readonly LogLine[]; readonly nextRow: number }> {
  const parts = await listLogParts(db, taskId, fromRow, maxParts);
  const lines = parts.flatMap((part) => part.lines.slice(Math.max(0, fromRow - part.firstRow)));
  const last = parts.at(-1);
  return { lines, nextRow: last === undefined ? fromRow : last.firstRow + last.lines.length };
}

/** All lines of a log. */
export async function* streamLog(db: Reader, taskId: number): AsyncGenerator<readonly LogLine[], void, undefined> {
  for (let row = 0; ; ) {
    const { lines, nextRow } = await readLog(db, taskId, row);
    if (lines.length === 0) return;
    yield lines;
    row = nextRow;
  }
}
