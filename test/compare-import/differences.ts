/** A response, as far as it is compared. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly total: string | null;
  /** Parsed JSON, or text. */
  readonly body: unknown;
}

export type Aspect = "status" | "shape" | "value";

export interface Difference {
  readonly aspect: Aspect;
  /** Place in the body, with `[]` for each item of a list: `[].user.login`. */
  readonly place: string;
  readonly gitea: unknown;
  readonly hearth: unknown;
}

export interface Comparison {
  readonly differences: readonly Difference[];
  /** Number of values that both answers could have in common. */
  readonly values: number;
}

export function compareAnswers(gitea: Answer, hearth: Answer): Comparison {
  // Gitea fails on its own.
  if (gitea.status >= 500 && hearth.status < 500) return { differences: [], values: 0 };
  if (gitea.status !== hearth.status) return { differences: [{ aspect: "status", place: "status", gitea: gitea.status, hearth: hearth.status }], values: 1 };
  const differences: Difference[] = [];
  if (gitea.type !== hearth.type) differences.push({ aspect: "shape", place: "content-type", gitea: gitea.type, hearth: hearth.type });
  if (gitea.total !== hearth.total) differences.push({ aspect: "value", place: "x-total-count", gitea: gitea.total, hearth: hearth.total });
  // Messages of errors are for people.
  const values = gitea.status >= 400 ? 0 : compareValues(gitea.body, hearth.body, "", differences);
  return { differences, values: values + 2 };
}

const kindOf = (value: unknown): string => (value === null ? "null" : Array.isArray(value) ? "list" : typeof value);
const isRecord = (value: unknown): value is Record<string, unknown> => kindOf(value) === "object";

function compareValues(gitea: unknown, hearth: unknown, place: string, found: Difference[]): number {
  const [expected, actual] = [kindOf(gitea), kindOf(hearth)];
  if (expected !== actual) {
    found.push({ aspect: "shape", place, gitea, hearth });
    return 1;
  }
  if (Array.isArray(gitea) && Array.isArray(hearth)) {
    // Gitea answers null for an entry about a missing issue.
    const items = gitea.filter((item) => item !== null);
    if (items.length < gitea.length) found.push({ aspect: "value", place: `${place}[]`, gitea: null, hearth: undefined });
    return compareLists(items, hearth, place, found);
  }
  if (isRecord(gitea) && isRecord(hearth)) {
    let values = 0;
    for (const name of new Set([...Object.keys(gitea), ...Object.keys(hearth)])) {
      const at = place === "" ? name : `${place}.${name}`;
      if (name in gitea && name in hearth) values += compareValues(gitea[name], hearth[name], at, found);
      else found.push({ aspect: "shape", place: at, gitea: gitea[name], hearth: hearth[name] });
    }
    return values;
  }
  if (gitea !== hearth) found.push({ aspect: "value", place, gitea, hearth });
  return 1;
}

/** Gitea lists the files of a commit in any order. */
const sortedFiles = (items: readonly unknown[]): readonly unknown[] =>
  items.every((item) => isRecord(item) && typeof item.filename === "string") ? items.toSorted((a, b) => nameOf(a).localeCompare(nameOf(b))) : items;
const nameOf = (item: unknown): string => String((item as { filename: string }).filename);

/** Items with ids are compared with those of the same id, so that one missing item is one difference. */
function compareLists(gitea: readonly unknown[], hearth: readonly unknown[], place: string, found: Difference[]): number {
  const idOf = (item: unknown): unknown => (isRecord(item) ? item.id : undefined);
  // Gitea makes lists of names from maps, in any order.
  if ([...gitea, ...hearth].every((item) => typeof item === "string")) return compareTexts(gitea as string[], hearth as string[], place, found);
  const hasIds = [...gitea, ...hearth].every((item) => idOf(item) !== undefined);
  if (!hasIds) {
    let values = 1;
    if (gitea.length !== hearth.length) found.push({ aspect: "value", place: `${place}.length`, gitea: gitea.length, hearth: hearth.length });
    const own = sortedFiles(hearth);
    for (const [at, item] of sortedFiles(gitea).entries()) if (at < own.length) values += compareValues(item, own[at], `${place}[]`, found);
    return values;
  }
  const [ids, ownIds] = [gitea.map(idOf), hearth.map(idOf)];
  if (ids.join() !== ownIds.join()) found.push({ aspect: "value", place: `${place}[].id`, gitea: ids.join(), hearth: ownIds.join() });
  const own = new Map(hearth.map((item) => [idOf(item), item]));
  let values = 1;
  for (const item of gitea) if (own.has(idOf(item))) values += compareValues(item, own.get(idOf(item)), `${place}[]`, found);
  return values;
}

function compareTexts(gitea: readonly string[], hearth: readonly string[], place: string, found: Difference[]): number {
  const [expected, actual] = [gitea.toSorted().join(), hearth.toSorted().join()];
  if (expected !== actual) found.push({ aspect: "value", place: `${place}[]`, gitea: expected, hearth: actual });
  return Math.max(1, gitea.length);
}
