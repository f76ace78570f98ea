import type { Reader } from "../../../../db/db.ts";
import type { RunnerView } from "../../runners/model.ts";
import { noteActive } from "../../runners/service/runners.ts";
import type { JobRow, LogLine, RunRow } from "../model.ts";
import { insertLogPart, listLogParts, updateTask } from "../store/tasks.ts";
import type { RunsDeps } from "./deps.ts";
import { hideMasks, type Masks } from "./masks.ts";
import { leaseMs, taskOf } from "./tasks.ts";

/** A longer log ends with a note; the runner goes on. */
export const maxLogBytes = 64 * 1024 * 1024;
const maxLineLength = 64 * 1024;
/** The size of a line besides its text. */
export const lineBytes = 16;
const maxLinesAtOnce = 20_000;
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
  const cleaned = given.lines.slice(0, maxLinesAtOnce).map(([timeMs, text, ...ticks]): LogLine => [timeMs, cleanLine(text), ...ticks]);
  const offered = await hideMasks(cleaned, masks);
  return deps.db.tx(async (tx) => {
    const task = await taskOf(tx, runner, given.taskId);
    const skipped = task.logRows - given.index;
    if (task.isLogClosed || skipped < 0) return task.logRows;
    const fresh = offered.slice(skipped);
    const isComplete = given.isLast && given.lines.length <= maxLinesAtOnce;
    if (fresh.length === 0 && !isComplete) return task.logRows;
    const size = fresh.reduce((sum, [, text]) => sum + text.length + lineBytes, 0);
    const hasRoom = task.logBytes < maxLogBytes;
    const stored = hasRoom && task.logBytes + size >= maxLogBytes ? [...fresh.slice(0, 1), cutOff(tx.nowMs)] : fresh;
    if (hasRoom && stored.length > 0) await insertLogPart(tx, task.id, task.logRows, stored);
    const rows = task.logRows + fresh.length;
    await updateTask(tx, task.id, {
      log_rows: rows,
      log_bytes: task.logBytes + size,
      ...(task.status === "running" && { is_reported: 1, lease_until_ms: tx.nowMs + leaseMs }),
      ...(isComplete && { is_log_closed: 1 }),
      ...(isComplete && task.status === "done" && { sealed_secrets: null }),
    });
    await noteActive(tx, runner.id, tx.nowMs);
    tx.announce("actions", { taskId: task.id });
    return rows;
  });
}

const cutOff = (nowMs: number): LogLine => [nowMs, `This log exceeds ${maxLogBytes / 1024 / 1024} MiB: the rest is not stored.`];

export const ticksPerMs = 10_000;
const ticksDigits = 4;

/** A line of a log as text, in the format of Gitea: its time has seven decimals, and a line break within the line is written as `\\n`. */
export const formatLine = ([timeMs, text, ticks = 0]: LogLine): string =>
  `${new Date(timeMs).toISOString().slice(0, -1)}${String(ticks).padStart(ticksDigits, "0")}Z ${text.replaceAll("\n", String.raw`\n`)}\n`;

/** @returns undefined for a text without a time */
export function parseLine(line: string): LogLine | undefined {
  const [, time, decimals = "", text = ""] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z (.*)$/s.exec(line) ?? [];
  const ms = time === undefined ? Number.NaN : Date.parse(`${time}.${decimals.slice(0, 3).padEnd(3, "0")}Z`);
  if (!Number.isFinite(ms)) return undefined;
  return lineOf(ms, text, Number(decimals.slice(3, 3 + ticksDigits).padEnd(ticksDigits, "0")));
}

export const lineOf = (timeMs: number, text: string, ticks: number): LogLine => (ticks === 0 ? [timeMs, text] : [timeMs, text, ticks]);

/** PostgreSQL stores no U+0000. */
export const cleanLine = (text: string): string =>
  (text.length > maxLineLength ? `${text.slice(0, maxLineLength)}…` : text).replaceAll("\0", "").toWellFormed();

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

/** The log of the present attempt of a job as a file: each line begins with its time. */
export function logFile(
  { db }: { readonly db: Reader },
  run: Pick<RunRow, "workflowFile">,
  { name, taskId }: Pick<JobRow, "name" | "taskId">,
): { readonly name: string; readonly pieces: AsyncIterable<Uint8Array> } {
  async function* pieces(): AsyncGenerator<Uint8Array, void, undefined> {
    if (taskId !== null) for await (const lines of streamLog(db, taskId)) yield Buffer.from(lines.map(formatLine).join(""));
  }
  return { name: `${run.workflowFile.replace(/(?<=.)\..*/s, "")}-${name}-${taskId ?? 0}.log`, pieces: pieces() };
}
