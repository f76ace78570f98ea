import type { SwaggerDocument, SwaggerReference, SwaggerResponse } from "../../src/http/swagger.ts";

interface SchemaNode {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly items?: SchemaNode;
  readonly additionalProperties?: SchemaNode;
  readonly "x-nullable"?: boolean;
}

/** A response as received. */
export interface SeenAnswer {
  readonly method: string;
  /** Path below `/api/v1`, without the query. */
  readonly path: string;
  readonly status: number;
  readonly contentType: string | undefined;
  readonly text: string;
}

export interface DescribedAnswers {
  /** The differences between a response and the description, one per line; none for requests that are not described. */
  differences(answer: SeenAnswer): readonly string[];
}

interface Operation {
  readonly operationId: string;
  readonly produces?: readonly string[];
  readonly responses: Readonly<Record<string, SwaggerResponse | SwaggerReference>>;
}

/** Adds the differences of a value to `found`; `at` is the path of the value. */
type Check = (value: unknown, at: string, found: string[]) => void;

/**
 * Checks responses against the description published by the server: the status is declared; there is a body exactly if one is declared, as
 * JSON, with all required and no undeclared members; and an error has the members of its kind. Each schema is compiled when it is first used.
 */
export function describedAnswers(document: SwaggerDocument): DescribedAnswers {
  const definitions = document.definitions as unknown as Readonly<Record<string, SchemaNode>>;
  const matchers = Map.groupBy(matchersOf(document), ({ method }) => method);
  const checks = new WeakMap<SchemaNode, Check>();

  const responseOf = (response: SwaggerResponse | SwaggerReference): SwaggerResponse =>
    "$ref" in response ? (document.responses[response.$ref.slice("#/responses/".length)] as SwaggerResponse) : response;

  function checkOf(schema: SchemaNode): Check {
    const known = checks.get(schema);
    if (known !== undefined) return known;
    const check = compile(schema);
    const compiled: Check = schema["x-nullable"] ? (value, at, found) => (value === null ? undefined : check(value, at, found)) : check;
    checks.set(schema, compiled);
    return compiled;
  }

  function compile(schema: SchemaNode): Check {
    if (schema.$ref !== undefined) {
      const definition = definitions[schema.$ref.slice("#/definitions/".length)] ?? {};
      return (value, at, found) => checkOf(definition)(value, at, found);
    }
    if (schema.properties !== undefined || schema.additionalProperties !== undefined) return recordCheck(schema);
    switch (schema.type) {
      case "object":
        return (value, at, found) => isObject(value) || found.push(`${at}: ${mismatch(value, "an object")}`);
      case "array": {
        const item = schema.items ?? {};
        // A null item stands for an entry that is missing, such as a deleted comment of a timeline.
        return (value, at, found) => {
          if (!Array.isArray(value)) found.push(`${at}: ${mismatch(value, "a list")}`);
          else for (const [index, one] of value.entries()) if (one !== null) checkOf(item)(one, `${at}[${index}]`, found);
        };
      }
      case "string":
        return stringCheck(schema);
      case "integer":
        return (value, at, found) => Number.isSafeInteger(value) || found.push(`${at}: ${mismatch(value, "an integer")}`);
      case "boolean":
        return (value, at, found) => typeof value === "boolean" || found.push(`${at}: ${mismatch(value, "a boolean")}`);
      default:
        return () => undefined;
    }
  }

  function recordCheck({ properties = {}, required = [], additionalProperties }: SchemaNode): Check {
    const known = new Map(Object.entries(properties));
    return (value, at, found) => {
      if (!isObject(value)) return found.push(`${at}: ${mismatch(value, "an object")}`);
      for (const name of required) if (!Object.hasOwn(value, name)) found.push(`${at}.${name}: missing`);
      for (const [name, member] of Object.entries(value)) {
        const property = known.get(name) ?? additionalProperties;
        if (property === undefined) found.push(`${at}.${name}: not in the description`);
        else checkOf(property)(member, `${at}.${name}`, found);
      }
    };
  }

  const differencesOf = (value: unknown, schema: SchemaNode): readonly string[] => {
    const found: string[] = [];
    checkOf(schema)(value, "$", found);
    return found;
  };

  return {
    differences({ method, path, status, contentType, text }) {
      // The router finds no operation for some paths that match, such as those with an encoded slash.
      if (status === 404 && text === "404 page not found\n") return [];
      const operation = matchers.get(method)?.find(({ pattern }) => pattern.test(path))?.operation;
      if (operation === undefined) return [];
      const id = `${operation.operationId} ${status}`;
      const stated = operation.responses[status];
      if (stated === undefined) return [`${id}: not described: ${text.slice(0, 160)}`];
      const { schema, "x-alternative": alternative } = responseOf(stated) as { readonly schema?: SchemaNode; readonly "x-alternative"?: SchemaNode };
      const type = contentType?.split(";", 1)[0];
      // The body of a redirect is a link for people.
      if (status >= 300 && status < 400) return [];
      if (text !== "" && type !== undefined && schema?.type !== "file" && operation.produces?.includes(type) === false) return [`${id}: the type ${type}`];
      if (schema?.type === "file" || (status < 400 && !contentType?.includes("json"))) return [];
      if (schema === undefined) return text === "" ? [] : [`${id}: a body that is not described: ${text.slice(0, 100)}`];
      // Node.js drops the body of a 205.
      if (text === "") return status === 205 ? [] : [`${id}: no body`];
      if (!contentType?.includes("json")) return [`${id}: the type ${contentType}`];
      const value: unknown = JSON.parse(text);
      const found = differencesOf(value, schema);
      if (found.length > 0 && alternative !== undefined && differencesOf(value, alternative).length === 0) return [];
      return found.map((line) => `${id}: ${line}`);
    },
  };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null && !Array.isArray(value);
const mismatch = (value: unknown, expected: string): string => (value === null ? "null" : `not ${expected}`);

/** RFC 3339. */
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

function stringCheck({ format, enum: values }: SchemaNode): Check {
  return (value, at, found) => {
    if (typeof value !== "string") found.push(`${at}: ${mismatch(value, "a string")}`);
    else if (format === "date-time" && !time.test(value)) found.push(`${at}: ${JSON.stringify(value)} is not a time`);
    else if (format === "email" && !/^[^@\s]+@[^@\s]+$/.test(value)) found.push(`${at}: ${JSON.stringify(value)} is not an email address`);
    else if (values?.includes(value) === false) found.push(`${at}: ${JSON.stringify(value)} is not one of ${values.join(", ")}`);
  };
}

interface Matcher {
  readonly method: string;
  readonly pattern: RegExp;
  readonly operation: Operation;
}

/** Path parameters that match more than one segment. */
const restVariables = new Set(["archive", "basehead", "branch", "filepath", "pageName", "ref", "sha", "tag"]);

/** The operations, those with the longest literal text first. */
function matchersOf(document: SwaggerDocument): readonly Matcher[] {
  const literals = (path: string): number => path.replace(/\{\w+\}/g, "").length;
  return Object.entries(document.paths)
    .sort(([a], [b]) => literals(b) - literals(a))
    .flatMap(([path, methods]) => {
      const pieces = path.split(/(\{\w+\})/).map((piece) => {
        if (!piece.startsWith("{")) return piece.replace(/[.\\+*?()[\]|^$]/g, "\\$&");
        // A tag such as v1.0 is not a commit with a format.
        if (piece === "{diffType}") return "(?:diff|patch)";
        return restVariables.has(piece.slice(1, -1)) ? ".+" : "[^/]+";
      });
      const pattern = new RegExp(`^${pieces.join("")}$`, "s");
      const operations = Object.entries(methods as unknown as Readonly<Record<string, Operation>>);
      return operations.map(([method, operation]) => ({ method: method.toUpperCase(), pattern, operation }));
    });
}
