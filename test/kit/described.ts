import type { SwaggerDocument, SwaggerReference, SwaggerResponse } from "../../src/http/swagger.ts";

interface SchemaNode {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly items?: SchemaNode;
  readonly additionalProperties?: SchemaNode | boolean;
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

/**
 * Checks responses against the description published by the server: the status is declared; there is a body exactly if one is declared, as
 * JSON, without undeclared members; and a refusal has the members of its kind.
 */
export function describedAnswers(document: SwaggerDocument): DescribedAnswers {
  const definitions = document.definitions as unknown as Readonly<Record<string, SchemaNode>>;
  const matchers = Object.entries(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods as unknown as Readonly<Record<string, Operation>>).map(([method, operation]) => ({
        path,
        method: method.toUpperCase(),
        operation,
      })),
    )
    .map(({ path, method, operation }) => ({
      method,
      operation,
      literals: path.replace(/\{\w+\}/g, "").length,
      pattern: new RegExp(
        `^${path
          .split(/(\{\w+\})/)
          .map((piece) => (piece.startsWith("{") ? (restVariables.has(piece.slice(1, -1)) ? ".+" : "[^/]+") : piece.replace(/[.\\+*?()[\]|^$]/g, "\\$&")))
          .join("")}$`,
        "s",
      ),
    }))
    .sort((a, b) => b.literals - a.literals);

  const responseOf = (response: SwaggerResponse | SwaggerReference): SwaggerResponse =>
    "$ref" in response ? (document.responses[response.$ref.slice("#/responses/".length)] as SwaggerResponse) : response;

  function shape(value: unknown, schema: SchemaNode, at: string): string[] {
    if (schema.$ref !== undefined)
      return value === null && schema["x-nullable"] ? [] : shape(value, definitions[schema.$ref.slice("#/definitions/".length)] ?? {}, at);
    if (value === null) return schema["x-nullable"] || schema.type === undefined || schema.type === "array" ? [] : [`${at}: null`];
    if (schema.properties !== undefined || schema.type === "object") {
      if (typeof value !== "object" || Array.isArray(value)) return [`${at}: not an object`];
      const members = value as Record<string, unknown>;
      const { properties = {}, additionalProperties } = schema;
      return Object.entries(members).flatMap(([name, member]) => {
        const property = properties[name];
        if (property !== undefined) return shape(member, property, `${at}.${name}`);
        if (typeof additionalProperties === "object") return shape(member, additionalProperties, `${at}.${name}`);
        return Object.keys(properties).length > 0 && additionalProperties !== true ? [`${at}.${name}: not in the description`] : [];
      });
    }
    if (schema.type === "array")
      return Array.isArray(value)
        ? value.flatMap((item, index) => (item === null ? [] : shape(item, schema.items ?? {}, `${at}[${index}]`)))
        : [`${at}: not a list`];
    if (schema.type === "string") return typeof value === "string" ? [] : [`${at}: not a string`];
    if (schema.type === "integer") return Number.isSafeInteger(value) ? [] : [`${at}: not an integer`];
    if (schema.type === "boolean") return typeof value === "boolean" ? [] : [`${at}: not a boolean`];
    return [];
  }

  return {
    differences({ method, path, status, contentType, text }) {
      const found = matchers.find((one) => one.method === method && one.pattern.test(path));
      if (found === undefined) return [];
      const id = `${found.operation.operationId} ${status}`;
      const stated = found.operation.responses[status];
      if (stated === undefined) return [`${id}: not described: ${text.slice(0, 160)}`];
      const { schema } = responseOf(stated) as { readonly schema?: SchemaNode };
      const isText = status < 400 && found.operation.produces?.every((type) => !type.includes("json")) === true;
      if (isText) return [];
      if (schema === undefined) return text === "" ? [] : [`${id}: a body that is not described: ${text.slice(0, 100)}`];
      if (schema.type === "file") return [];
      if (text === "") return [`${id}: no body`];
      if (!contentType?.includes("json")) return [`${id}: the type ${contentType}`];
      const value: unknown = JSON.parse(text);
      const incomplete = status >= 400 && typeof value === "object" && value !== null && !("invalidTopics" in value) && !("message" in value && "url" in value);
      return [...shape(value, schema, "$"), ...(incomplete ? [`no message or url: ${text.slice(0, 160)}`] : [])].map((line) => `${id}: ${line}`);
    },
  };
}

/** Path parameters that match more than one segment. */
const restVariables = new Set(["archive", "basehead", "branch", "filepath", "pageName", "ref", "sha", "tag"]);
