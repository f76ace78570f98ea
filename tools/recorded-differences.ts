import { readFileSync } from "node:fs";

/** The report of golden.py, as far as it is used. */
export interface ConformanceReport {
  /** Recorded exchanges that are answered differently, by name. A difference is its grade, its kind, its place and a text. */
  readonly failed: Readonly<Record<string, { readonly diffs: readonly (readonly [string, string, string, string])[] }>>;
  /** The compared areas. */
  readonly areas: Readonly<Record<string, unknown>>;
}

/**
 * The differences that a row of `contract/deviations.md` explains, by the first cell of the row. `? ` begins the name of a difference that
 * depends on the time at which the recorded server finished its background work.
 */
export type Explained = Readonly<Record<string, readonly string[]>>;

export interface DifferenceCheck {
  /** Differences that no row explains. */
  readonly unexplained: readonly string[];
  /** Explained differences that were compared and do not exist any more. */
  readonly gone: readonly string[];
  readonly explained: number;
}

export const readExplained = (): Explained => JSON.parse(readFileSync(new URL("../contract/recorded-differences.json", import.meta.url), "utf8")) as Explained;

/** The first cells of the rows in the tables of `contract/deviations.md`. */
export function subjectsOf(page: string): ReadonlySet<string> {
  return new Set([...page.matchAll(/^\| (.+?) +\| /gm)].map(([, subject = ""]) => subject));
}

/**
 * Compares the differences of a run with the explained ones.
 * @param recorded the names of all recorded exchanges: rows can explain exchanges of other recordings
 */
export function checkDifferences({ failed, areas }: ConformanceReport, explained: Explained, recorded: ReadonlySet<string>): DifferenceCheck {
  const found = new Map(Object.entries(failed).flatMap(([exchange, { diffs }]) => diffs.map((diff) => [nameOf(exchange, diff), diff[3]] as const)));
  const listed = Object.values(explained).flat();
  const known = new Set(listed.map((name) => name.replace(optional, "")));
  return {
    unexplained: [...found].filter(([name]) => !known.has(name)).map(([name, text]) => `${name}: ${text}`),
    gone: listed
      .filter((name) => !optional.test(name))
      .filter((name) => Object.hasOwn(areas, name.split(".", 1)[0] ?? "") && recorded.has(exchangeOf(name)) && !found.has(name)),
    explained: [...found.keys()].filter((name) => known.has(name)).length,
  };
}

const optional = /^\? /;

/** The exchange in a name of {@link nameOf}: places and kinds contain no space. */
const exchangeOf = (name: string): string => name.slice(0, name.lastIndexOf(" "));

/** An exchange and the place of the difference: a member of the body, the name of a header, or `status`. */
function nameOf(exchange: string, [grade, kind, place]: readonly [string, string, string, string]): string {
  return `${exchange} ${grade === "status" ? grade : grade === "header" || place === "" ? kind : place}`;
}
