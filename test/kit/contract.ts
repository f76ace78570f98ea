import { type ContractOperation, type ContractValue, readOperations, readTypes, successes } from "../../tools/contract.ts";

const types = readTypes();

/**
 * The differences between a value and its type in the contract: missing and unknown members, unexpected nulls, wrong types.
 * @param type a name of `contract/types.json`, `[]T`, `map[string]T`, or `string`, `boolean`, `integer`, `int64`, `any`
 * @returns one line per difference, with its path: `$.owner.login: missing`
 */
export function differences(value: unknown, type: string, at = "$"): string[] {
  if (type.startsWith("[]")) {
    // Empty lists are null in some types and [] in others; both are accepted.
    if (value === null) return [];
    return Array.isArray(value) ? value.flatMap((item, index) => differences(item, type.slice(2), `${at}[${index}]`)) : [`${at}: no list`];
  }
  if (type.startsWith("map[string]")) {
    const item = type.slice("map[string]".length);
    return isObject(value) ? Object.entries(value).flatMap(([name, member]) => differences(member, item, `${at}.${name}`)) : [`${at}: no object`];
  }
  const known = types[type];
  if (known === undefined) return scalarDifferences(value, { type: type === "int64" ? "integer" : type }, at);
  if (known.fields === undefined) return scalarDifferences(value, known as ContractValue, at);
  if (!isObject(value)) return [`${at}: no ${type}`];
  const { fields } = known;
  return [
    ...Object.keys(value).flatMap((name) => (Object.hasOwn(fields, name) ? [] : [`${at}.${name}: not in ${type}`])),
    ...Object.entries(fields).flatMap(([name, field]) => {
      const path = `${at}.${name}`;
      if (!Object.hasOwn(value, name)) return field.omitempty ? [] : [`${path}: missing`];
      const member = value[name];
      if (member === null) return field.nullable || field.type === "any" ? [] : [`${path}: null`];
      return valueDifferences(member, field, path);
    }),
  ];
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

function valueDifferences(value: unknown, expected: ContractValue, at: string): string[] {
  const { ref, items, values } = expected;
  if (ref !== undefined) return differences(value, ref, at);
  if (items !== undefined) {
    // A null stands for a missing item: a deleted file among changed ones, a lost entry of a timeline.
    return Array.isArray(value)
      ? value.flatMap((item, index) => (item === null && items.ref ? [] : valueDifferences(item, items, `${at}[${index}]`)))
      : [`${at}: no list`];
  }
  if (values !== undefined) {
    return isObject(value) ? Object.entries(value).flatMap(([name, member]) => valueDifferences(member, values, `${at}.${name}`)) : [`${at}: no object`];
  }
  return scalarDifferences(value, expected, at);
}

/** RFC 3339; does not check whether the contract allows fractional seconds. */
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

function scalarDifferences(value: unknown, { type, format, enum: values }: ContractValue, at: string): string[] {
  const wrong = (what: string) => [`${at}: ${JSON.stringify(value)} is no ${what}`];
  switch (type) {
    case "string":
      if (typeof value !== "string") return wrong("string");
      if (format === "date-time" && !time.test(value)) return wrong("time");
      return values !== undefined && !values.includes(value) && value !== "" ? wrong(`value among ${values.join(", ")}`) : [];
    case "integer":
      return Number.isSafeInteger(value) ? [] : wrong("integer");
    case "boolean":
      return typeof value === "boolean" ? [] : wrong("boolean");
    case "object":
      return isObject(value) ? [] : wrong("object");
    case "array":
      return Array.isArray(value) ? [] : wrong("list");
    default:
      return [];
  }
}

/** Path parameters that match more than one segment. */
const restVariables = new Set(["archive", "basehead", "branch", "filepath", "pageName", "ref", "sha", "tag"]);

interface Matcher {
  readonly operation: ContractOperation;
  readonly pattern: RegExp;
  readonly literals: number;
}

const matchers: readonly Matcher[] = readOperations()
  .map((operation): Matcher => {
    const pattern = operation.path.split(/(\{\w+\})/).map((piece) => {
      if (!piece.startsWith("{")) return piece.replace(/[.\\+*?()[\]|^$]/g, "\\$&");
      return restVariables.has(piece.slice(1, -1)) ? ".+" : "[^/]+";
    });
    return { operation, pattern: new RegExp(`^${pattern.join("")}$`, "s"), literals: operation.path.replace(/\{\w+\}/g, "").length };
  })
  // `/contents/{filepath}` would match `/contents-ext/...` too; the path with the longest literal text wins.
  .sort((a, b) => b.literals - a.literals);

/** Finds the contract's operation of a request. @param path below `/api/v1`, without the query */
export function operationOf(method: string, path: string): ContractOperation | undefined {
  const plain = path.length > 1 ? path.replace(/\/$/, "") : path;
  return matchers.find(({ operation, pattern }) => operation.method === method && pattern.test(plain))?.operation;
}

/** Responses for which the wire facts correct the description (`contract/deviations.md`). */
const knownBetter: Readonly<Record<string, (value: unknown) => string[]>> = {
  getUserSettings: (value) => differences(value, "UserSettings"),
  updateUserSettings: (value) => differences(value, "UserSettings"),
  repoGetContents: (value) => differences(value, Array.isArray(value) ? "[]ContentsResponse" : "ContentsResponse"),
  topicSearch: (value) => (isObject(value) ? differences(value.topics, "[]TopicResponse", "$.topics") : ["$: no object"]),
};

/**
 * The differences between a successful JSON response and the contract; none for requests outside the contract.
 * @param path below `/api/v1`, without the query
 */
export function answerDifferences(method: string, path: string, status: number, value: unknown): string[] {
  const operation = operationOf(method, path);
  if (operation === undefined) return [];
  const stated = successes(operation);
  // A success with another status has the type of the stated one.
  const type = stated[status] || Object.values(stated).find((one) => one !== "");
  const check = knownBetter[operation.operationId] ?? (type === undefined || type === "file" ? () => [] : (answer: unknown) => differences(answer, type));
  return check(value).map((line) => `${operation.operationId}: ${line}`);
}
