import type { Measured } from "./measure.ts";

/** A row of the result: a repeated operation, or one figure. */
export interface Row {
  readonly id: string;
  readonly title: string;
  readonly results: readonly Measured[];
  readonly figure?: { readonly value: number; readonly unit: string };
  readonly ceiling?: number;
  /** Error message of a failed operation. */
  readonly failure?: string;
}

export type Verdict = "within" | "over" | "failed" | "unknown";

/** Compares the result of Hearth, the first contender, with the ceiling. */
export function verdictOf({ results, figure, ceiling, failure }: Row): Verdict {
  if (failure !== undefined) return "failed";
  const value = figure?.value ?? results[0]?.cpuMs;
  if (value === undefined || ceiling === undefined) return "unknown";
  return value <= ceiling ? "within" : "over";
}

const number = (value: number | undefined): string => {
  if (value === undefined || Number.isNaN(value)) return "-";
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
};

/** Formats an aligned Markdown table. */
export function formatTable(rows: readonly Row[], names: readonly string[]): string {
  const [, rival] = names;
  const hasStrain = rows.some(({ results: [own] }) => own?.peakMegabytes !== undefined);
  const hasDatabase = rows.some(({ results: [own] }) => own?.databaseCpuMs !== undefined);
  const head = ["operation", "count", "per s", "p50 ms", "p99 ms", "CPU ms", "processes", "statements", "ceiling", ""];
  if (hasDatabase) head.push("database CPU ms");
  if (hasStrain) head.push("peak MB", "block ms");
  if (rival !== undefined) head.push(`${rival} p50 ms`, `${rival} CPU ms`, "p50 ratio", "CPU ratio");
  const lines = [head, ...rows.map((row) => cells(row, { hasDatabase, hasStrain, hasRival: rival !== undefined }))];
  const widths = head.map((_, column) => Math.max(3, ...lines.map((line) => line[column]?.length ?? 0)));
  const format = (line: readonly string[]): string => `| ${widths.map((width, column) => pad(line[column] ?? "", width, column)).join(" | ")} |`;
  const rule = `|${widths.map((width, column) => (column === 0 ? "-".repeat(width + 2) : `${"-".repeat(width + 1)}:`)).join("|")}|`;
  const failures = rows.flatMap(({ title, failure }) => (failure === undefined ? [] : [`${title}: ${failure}`]));
  return [format(head), rule, ...lines.slice(1).map(format), ...(failures.length > 0 ? ["", ...failures] : [])].join("\n");
}

const pad = (text: string, width: number, column: number): string => (column === 0 ? text.padEnd(width) : text.padStart(width));

type Columns = Readonly<Record<"hasDatabase" | "hasStrain" | "hasRival", boolean>>;

function cells(row: Row, { hasDatabase, hasStrain, hasRival }: Columns): string[] {
  const verdict = verdictOf(row);
  const marks: Record<Verdict, string> = { within: "ok", over: "OVER", failed: "FAILED", unknown: "" };
  const ceiling = row.ceiling === undefined ? "" : number(row.ceiling);
  if (row.figure !== undefined) {
    return [`${row.title}, ${row.figure.unit}`, "", "", "", "", number(row.figure.value), "", "", ceiling, marks[verdict]];
  }
  const [own, other] = row.results;
  const line = [
    row.title,
    own === undefined ? "-" : String(own.operations),
    ...[own?.perSecond, own?.p50Ms, own?.p99Ms, own?.cpuMs, own?.processes, own?.statements].map(number),
    ceiling,
    [marks[verdict], upkeepMark(own)].filter((mark) => mark !== "").join(", "),
    ...(hasDatabase ? [number(own?.databaseCpuMs)] : []),
    ...(hasStrain ? [own?.peakMegabytes, own?.blockMs].map(number) : []),
  ];
  return hasRival ? [...line, number(other?.p50Ms), number(other?.cpuMs), ratio(other?.p50Ms, own?.p50Ms), ratio(other?.cpuMs, own?.cpuMs)] : line;
}

/** The maintenance of stores ran in the row: its figures include work that other rows caused. */
const upkeepMark = (own: Measured | undefined): string => ((own?.upkeepSeconds ?? 0) > 0 ? `${number(own?.upkeepSeconds)} s upkeep` : "");

const ratio = (other: number | undefined, own: number | undefined): string =>
  other === undefined || own === undefined || own === 0 ? "-" : `${(other / own).toFixed(1)}x`;
