import type { SwaggerDocument, SwaggerOperation, SwaggerParameter, SwaggerResponse, SwaggerSchema, SwaggerValueParameter } from "../../src/http/swagger.ts";
import { type ContractField, type ContractOperation, type ContractParameter, type ContractType, type ContractValue, successes } from "../../tools/contract.ts";

/** A difference between the description and the contract. */
export interface Difference {
  /** Its code in the tables of `contract/deviations.md`: `repoGet 200`, `repoGet query:page`, `Repository.owner`. */
  readonly code: string;
  readonly detail: string;
}

/** Finds an operation in a description by its id. */
export interface Described {
  readonly method: string;
  readonly path: string;
  readonly operation: SwaggerOperation;
}

export function describedOperations({ paths }: SwaggerDocument): ReadonlyMap<string, Described> {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [operation.operationId, { method: method.toUpperCase(), path, operation }] as const),
  );
  return new Map(all);
}

export function compareOperation(expected: ContractOperation, { method, path, operation }: Described, document: SwaggerDocument): Difference[] {
  const id = expected.operationId;
  const found: Difference[] = [];
  const expectSame = (what: string, contract: unknown, described: unknown): void => {
    if (JSON.stringify(contract) !== JSON.stringify(described))
      found.push({ code: `${id} ${what}`, detail: `${show(contract)} in the contract, ${show(described)} here` });
  };

  expectSame("route", `${expected.method} ${expected.path}`, `${method} ${path}`);
  expectSame("tag", expected.tag, operation.tags[0]);
  expectSame("deprecated", expected.deprecated ?? false, operation.deprecated ?? false);
  expectSame("consumes", expected.consumes, operation.consumes);
  // The contract omits media types if there is only JSON, and the JSON of errors if there are others.
  const isJsonAlone = operation.produces?.join() === "application/json";
  const ofSuccess = operation.produces?.filter((type) => type !== "application/json" || expected.produces?.includes(type));
  expectSame("produces", expected.produces, isJsonAlone ? undefined : ofSuccess);

  const body = operation.parameters.find(isBody);
  expectSame("body", expected.body, body && typeName(body.schema));
  const parameters = new Map(operation.parameters.filter(isValue).map((parameter) => [`${parameter.in}:${parameter.name}`, parameter]));
  for (const parameter of expected.params) {
    const key = `${parameter.in}:${parameter.name}`;
    expectSame(
      key,
      parameterText(parameter),
      parameters.has(key) ? parameterText(parameters.get(key) as SwaggerValueParameter, parameter.valuesInText) : undefined,
    );
    parameters.delete(key);
  }
  for (const [key, parameter] of parameters) expectSame(key, undefined, parameterText(parameter));

  const types = successes(expected);
  for (const status of new Set([...Object.keys(expected.responses), ...Object.keys(operation.responses).filter((one) => one.startsWith("2"))])) {
    const response = resolve(operation.responses[status], document);
    const isStated = expected.responses[status] !== undefined;
    const type = types[status];
    if (response === undefined || !isStated) expectSame(status, isStated ? "stated" : "not stated", response === undefined ? "not stated" : "stated");
    else if (type) expectSame(status, type, response.schema === undefined ? "" : typeName(unnamed(response.schema, document), type));
    else if (expected.shared?.[status] === "empty") expectSame(status, "", response.schema === undefined ? "" : typeName(response.schema));
  }
  return found;
}

const show = (value: unknown): string => (value === undefined || value === "" ? "nothing" : typeof value === "string" ? value : JSON.stringify(value));
const isBody = (parameter: SwaggerParameter) => parameter.in === "body";
const isValue = (parameter: SwaggerParameter): parameter is SwaggerValueParameter => parameter.in !== "body";

/** Values that only a description text of the contract lists may be an enumeration or not. */
function parameterText({ type, required, enum: values, items }: ContractParameter | SwaggerValueParameter, valuesInText?: readonly string[]): string {
  const shown = sameValues(values, valuesInText) ? undefined : values;
  const listed = items === undefined ? type : `${type} of ${items.type}`;
  const enumerated = shown ?? (sameValues(items?.enum, valuesInText) ? undefined : items?.enum);
  return [listed, required && "required", enumerated && `one of ${[...enumerated].sort().join(", ")}`].filter(Boolean).join(", ");
}

const sameValues = (a: readonly string[] | undefined, b: readonly string[] | undefined): boolean =>
  a !== undefined && b !== undefined && [...a].sort().join() === [...b].sort().join();

export function resolve(response: SwaggerOperation["responses"][string] | undefined, { responses }: SwaggerDocument): SwaggerResponse | undefined {
  if (response === undefined || !("$ref" in response)) return response;
  return responses[response.$ref.replace("#/responses/", "")];
}

/** The schema of a name that the contract does not have: a list or a string type. */
function unnamed(schema: SwaggerSchema, { definitions }: SwaggerDocument): SwaggerSchema {
  const definition = definitions[schema.$ref?.replace("#/definitions/", "") ?? ""];
  return definition === undefined || definition.properties !== undefined ? schema : definition;
}

/** A schema's type in the contract's notation. @param inPlace the contract's name for an inline record */
function typeName(schema: SwaggerSchema, inPlace?: string): string {
  if (schema.$ref !== undefined) return schema.$ref.replace("#/definitions/", "");
  if (schema.items !== undefined) return `[]${typeName(schema.items)}`;
  if (schema.additionalProperties !== undefined) return `map[string]${typeName(schema.additionalProperties)}`;
  if (schema.properties !== undefined) return inPlace?.includes(".") ? inPlace : "object";
  return schema.format === "int64" ? "int64" : (schema.type ?? "any");
}

export function compareType(name: string, expected: ContractType, definition: SwaggerSchema): Difference[] {
  const stated = expected.fields ?? {};
  const described = definition.properties ?? {};
  const required = new Set(definition.required);
  const names = new Set([...Object.keys(stated), ...Object.keys(described)]);
  return [...names].flatMap((field): Difference[] => {
    const contract = stated[field] && fieldText(stated[field], expected.request === true);
    const here = described[field] && describedFieldText(described[field], required.has(field), stated[field]?.valuesInText);
    return contract === here ? [] : [{ code: `${name}.${field}`, detail: `${show(contract)} in the contract, ${show(here)} here` }];
  });
}

function fieldText(field: ContractField, isRequest: boolean): string {
  // The contract uses `omitempty` in some requests for optional fields. Its response types declare no required fields.
  const isNullable = field.nullable || (isRequest && field.omitempty);
  const isRequired = isRequest ? field.required || field.rules?.includes("Required") : !field.omitempty;
  return [valueText(field), isNullable && "nullable", isRequired && "required"].filter(Boolean).join(", ");
}

function valueText({ type, format, ref, enum: values, items, values: members }: ContractValue): string {
  if (ref !== undefined) return ref;
  if (items !== undefined) return `[]${valueText(items)}`;
  if (members !== undefined) return `map of ${valueText(members)}`;
  return [type, format, values && `one of ${[...values].sort().join(", ")}`].filter(Boolean).join(" ");
}

function describedFieldText(schema: SwaggerSchema, isRequired: boolean, valuesInText: readonly string[] | undefined): string {
  return [describedText(schema, valuesInText), schema["x-nullable"] && "nullable", isRequired && "required"].filter(Boolean).join(", ");
}

function describedText({ $ref, type, format, enum: values, items, additionalProperties }: SwaggerSchema, valuesInText?: readonly string[]): string {
  if ($ref !== undefined) return $ref.replace("#/definitions/", "");
  if (items !== undefined) return `[]${describedText(items)}`;
  // The contract represents a map of any values as an object without fields.
  if (additionalProperties !== undefined) return Object.keys(additionalProperties).length === 0 ? "object" : `map of ${describedText(additionalProperties)}`;
  const shown = sameValues(values, valuesInText) ? undefined : values;
  return [type ?? "any", format, shown && `one of ${[...shown].sort().join(", ")}`].filter(Boolean).join(" ");
}
