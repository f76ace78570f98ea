import { ForgeError, invalid } from "../core/errors.ts";
import { parseTime } from "../core/time.ts";

/** A query parameter: how it is read and how it is published. */
export interface QueryParameter<T> {
  readonly type: "string" | "integer" | "boolean" | "time" | "strings" | "integers";
  readonly description: string;
  /** Published values; reading does not refuse others. */
  readonly values?: readonly string[];
  /** The most characters of each value; a longer one is refused. */
  readonly maxLength: number;
  /** Published as required; reading does not refuse its absence, the handler does. */
  readonly isRequired?: true;
  /** Only for inference. */
  readonly read: (values: readonly string[], name: string) => T;
}

export type QueryDeclaration = Readonly<Record<string, QueryParameter<unknown>>>;
export type QueryOf<Q extends QueryDeclaration> = { readonly [K in keyof Q]: Q[K] extends QueryParameter<infer T> ? T : never };

/** Most parameters are names and words; some hold a path, an address or what another server chose. */
const maxLength = 4_096;
/** Numbers and times. */
const maxWordLength = 255;

const first = (values: readonly string[]): string | undefined => values[0];

/** @compat the spellings that count as a boolean on the wire; anything else counts as absent. */
const booleans: Readonly<Record<string, boolean>> = {
  "1": true,
  t: true,
  true: true,
  T: true,
  TRUE: true,
  True: true,
  "0": false,
  f: false,
  false: false,
  F: false,
  FALSE: false,
  False: false,
};

export const query = {
  text: (description: string, values?: readonly string[]): QueryParameter<string | undefined> => ({
    type: "string",
    description,
    maxLength,
    ...(values && { values }),
    read: (given) => first(given)?.replaceAll("\0", ""),
  }),
  /** May be repeated; a single value with commas is split as well. */
  texts: (description: string, values?: readonly string[]): QueryParameter<readonly string[]> => ({
    type: "strings",
    description,
    maxLength,
    ...(values && { values }),
    read: (given) => given.flatMap((value) => value.split(",")).filter((value) => value !== ""),
  }),
  /** May be repeated; what is no number is passed over. */
  integers: (description: string): QueryParameter<readonly number[]> => ({
    type: "integers",
    description,
    maxLength: maxWordLength,
    read: (given) => given.flatMap((value) => (/^-?\d{1,15}$/.test(value) ? Number(value) : [])),
  }),
  /** The same, published as one text that holds commas. */
  commaSeparated: (description: string): QueryParameter<readonly string[]> => ({
    type: "string",
    description,
    maxLength,
    read: (given) => given.flatMap((value) => value.split(",")).filter((value) => value !== ""),
  }),
  integer: (description: string): QueryParameter<number | undefined> => ({
    type: "integer",
    description,
    maxLength: maxWordLength,
    read: (given) => {
      const text = first(given);
      return text !== undefined && /^-?\d{1,15}$/.test(text) ? Number(text) : undefined;
    },
  }),
  bool: (description: string): QueryParameter<boolean | undefined> => ({
    type: "boolean",
    description,
    maxLength: maxWordLength,
    read: (given) => booleans[first(given) ?? ""],
  }),
  /** RFC 3339, as milliseconds. Throws `invalid` for anything else. */
  time: (description: string): QueryParameter<number | undefined> => ({
    type: "time",
    description,
    maxLength: maxWordLength,
    read: (given, name) => {
      const text = first(given);
      if (text === undefined || text === "") return undefined;
      const time = parseTime(text);
      if (time === undefined) throw new ForgeError("invalid", `${name}: "${text}" is no RFC 3339 time, such as 2026-01-02T15:04:05Z`);
      return time;
    },
  }),
};

/** A parameter whose value another server or a page of this one has made. */
export const longText = (description: string): QueryParameter<string | undefined> => ({ ...query.text(description), maxLength: 16_384 });

/** A parameter that is published as required. */
export const required = <T>(parameter: QueryParameter<T>): QueryParameter<T> => ({ ...parameter, isRequired: true });

/** Reads the declared parameters and ignores the others. @throws ForgeError `invalid` for a value that is too long or no time */
export function readQuery<Q extends QueryDeclaration>(declaration: Q, search: URLSearchParams): QueryOf<Q> {
  const result: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(declaration)) {
    const given = search.getAll(name);
    if (given.some((value) => value.length > parameter.maxLength)) throw invalid(`${name}: at most ${parameter.maxLength} characters`);
    result[name] = parameter.read(given, name);
  }
  return result as QueryOf<Q>;
}
