/** Values by variable name. Templates use them as `$NAME` or `${NAME}`. */
export type Variables = ReadonlyMap<string, string>;

export interface NamedRepository {
  readonly name: string;
  readonly description: string;
  readonly ownerName: string;
  readonly webUrl: string;
  readonly cloneUrl: string;
  readonly sshUrl: string;
}

/** Variables of the new repository begin with `REPO_`, those of the template with `TEMPLATE_`; dates are in UTC. */
export function variablesOf(made: NamedRepository, template: NamedRepository, nowMs: number): Variables {
  const now = new Date(nowMs);
  const monthName = now.toLocaleString("en", { month: "long", timeZone: "UTC" });
  const two = (number: number): string => String(number).padStart(2, "0");
  return new Map([
    ["YEAR", String(now.getUTCFullYear())],
    ["MONTH", two(now.getUTCMonth() + 1)],
    ["MONTH_ENGLISH", monthName],
    ["DAY", two(now.getUTCDate())],
    ["HOUR", two(now.getUTCHours())],
    ["MINUTE", two(now.getUTCMinutes())],
    ["SECOND", two(now.getUTCSeconds())],
    ...ofRepository("REPO", made),
    ...ofRepository("TEMPLATE", template),
  ]);
}

const ofRepository = (prefix: string, repository: NamedRepository): [string, string][] => [
  ...inEveryCase(`${prefix}_NAME`, repository.name),
  ...inEveryCase(`${prefix}_OWNER`, repository.ownerName),
  [`${prefix}_DESCRIPTION`, repository.description],
  [`${prefix}_LINK`, repository.webUrl],
  [`${prefix}_HTTPS_URL`, repository.cloneUrl],
  [`${prefix}_SSH_URL`, repository.sshUrl],
];

/** The name itself, and in the usual cases of programming languages. */
function inEveryCase(variable: string, name: string): [string, string][] {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase());
  const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
  const pascal = words.map(capital).join("");
  return [
    [variable, name],
    [`${variable}_SNAKE`, words.join("_")],
    [`${variable}_KEBAB`, words.join("-")],
    [`${variable}_CAMEL`, pascal.charAt(0).toLowerCase() + pascal.slice(1)],
    [`${variable}_PASCAL`, pascal],
    [`${variable}_LOWER`, name.toLowerCase()],
    [`${variable}_UPPER`, name.toUpperCase()],
    [`${variable}_TITLE`, words.map(capital).join(" ")],
  ];
}

const word = /\$(?:\{([A-Z_]+)\}|([A-Z_]+))/g;

/** Expands the variables in a string, once; unknown ones are kept. */
export const expand = (text: string, variables: Variables): string =>
  text.replace(word, (whole, braced: string | undefined, bare: string | undefined) => variables.get(braced ?? bare ?? "") ?? whole);

/** Expands the variables in a file of any encoding. */
export function expandBytes(data: Buffer, variables: Variables): Buffer {
  if (!data.includes("$")) return data;
  const asBytes = new Map([...variables].map(([name, value]) => [name, Buffer.from(value).toString("latin1")]));
  return Buffer.from(expand(data.toString("latin1"), asBytes), "latin1");
}

/** Characters and sequences with a special meaning in paths of some file system. */
const unfit = /\.\.|[<>:"/\\|?*\p{Cc}]/gu;

/** Expands the variables in a path: a value becomes part of a name, so it can neither add nor leave directories. */
export const expandPath = (path: string, variables: Variables): string =>
  expand(path, new Map([...variables].map(([name, value]) => [name, value.replace(unfit, "_")])));
