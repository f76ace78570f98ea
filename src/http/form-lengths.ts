import type { TSchema } from "typebox";
import { counts, fieldLength } from "../core/lengths.ts";
import { asSchema, type Schema } from "../wire/schema.ts";

/** The body of a page's form with a limit for each text, list and map that does not declare one. */
export function withFieldLengths<B extends TSchema>(body: B): B {
  const { properties } = asSchema(body);
  if (properties === undefined) return body;
  return { ...body, properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, limited(name, field)])) };
}

function limited(name: string, field: Schema): Schema {
  switch (field.type) {
    case "string":
      return field.maxLength === undefined ? { ...field, maxLength: fieldLength(name) } : field;
    case "array":
      return { ...field, maxItems: field.maxItems ?? counts.names, ...(field.items && { items: limited(name, field.items) }) };
    case "object":
      return {
        ...field,
        maxItems: field.maxItems ?? counts.names,
        ...(field.additionalProperties && { additionalProperties: limited(name, field.additionalProperties) }),
      };
    default:
      return field;
  }
}
