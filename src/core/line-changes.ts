export interface ChangedLine {
  readonly kind: "kept" | "added" | "removed";
  readonly text: string;
}

/** If more lines than this remain between the common start and end, they are reported as one change. */
const maxCompared = 1_000;

/** Changes of a text, line by line, based on the longest common subsequence of lines. */
export function lineChanges(before: string, after: string): readonly ChangedLine[] {
  const a = before.split(/\r?\n/);
  const b = after.split(/\r?\n/);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const kept = (lines: readonly string[]): ChangedLine[] => lines.map((text) => ({ kind: "kept", text }));
  const middle = compare(a.slice(start, a.length - end), b.slice(start, b.length - end));
  return [...kept(a.slice(0, start)), ...middle, ...kept(a.slice(a.length - end))];
}

function compare(a: readonly string[], b: readonly string[]): ChangedLine[] {
  const asChanges = (kind: ChangedLine["kind"], lines: readonly string[]): ChangedLine[] => lines.map((text) => ({ kind, text }));
  if (a.length > maxCompared || b.length > maxCompared) return [...asChanges("removed", a), ...asChanges("added", b)];
  const width = b.length + 1;
  // Length of the common subsequence from these positions on.
  const common = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      common[i * width + j] =
        a[i] === b[j] ? at(common, (i + 1) * width + j + 1) + 1 : Math.max(at(common, (i + 1) * width + j), at(common, i * width + j + 1));
    }
  }
  const changes: ChangedLine[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      changes.push({ kind: "kept", text: a[i] ?? "" });
      i += 1;
      j += 1;
    } else if (at(common, (i + 1) * width + j) >= at(common, i * width + j + 1)) {
      changes.push({ kind: "removed", text: a[i] ?? "" });
      i += 1;
    } else {
      changes.push({ kind: "added", text: b[j] ?? "" });
      j += 1;
    }
  }
  return [...changes, ...asChanges("removed", a.slice(i)), ...asChanges("added", b.slice(j))];
}

const at = (values: Uint16Array, index: number): number => values[index] ?? 0;
