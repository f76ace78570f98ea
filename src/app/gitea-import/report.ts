/** Counts of an import, and everything that it changes or leaves out. */
export interface Report {
  count(subject: string, rows: number): void;
  /** A name that Hearth refuses. */
  renamed(subject: string, former: string, name: string): void;
  /** Data without an equivalent. @param subject in the plural, @param one the data; undefined with a number of them */
  without(subject: string, one: string | number): void;
  lines(): readonly string[];
}

/** For work that is repeated. */
export const silentReport: Report = { count: () => {}, renamed: () => {}, without: () => {}, lines: () => [] };

/** Lists name at most this many rows of a subject, and count the others. */
const shown = 50;

export function newReport(): Report {
  const counts = new Map<string, number>();
  const renames: string[] = [];
  const missing = new Map<string, { total: number; readonly names: string[] }>();
  return {
    count: (subject, rows) => void counts.set(subject, (counts.get(subject) ?? 0) + rows),
    renamed: (subject, former, name) => void renames.push(`${subject} ${former} becomes ${name}`),
    without(subject, one) {
      const entry = missing.get(subject) ?? { total: 0, names: [] };
      missing.set(subject, entry);
      entry.total += typeof one === "number" ? one : 1;
      if (typeof one === "string" && entry.names.length < shown) entry.names.push(one);
    },
    lines() {
      const left = [...missing].filter(([, { total }]) => total > 0);
      return [
        ...[...counts].map(([subject, rows]) => `${subject}: ${rows}`),
        ...(renames.length > 0 ? ["renamed:", ...renames.map((line) => `  ${line}`)] : []),
        ...(left.length > 0 ? ["without an equivalent:", ...left.map(([subject, { total, names }]) => `  ${subject}: ${total}${namesOf(names, total)}`)] : []),
      ];
    },
  };
}

function namesOf(names: readonly string[], total: number): string {
  if (names.length === 0) return "";
  const others = total - names.length;
  return ` (${names.join(", ")}${others > 0 ? `, and ${others} others` : ""})`;
}
