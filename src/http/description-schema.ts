import { isRecord, type RecordSchema, type Schema } from "../wire/schema.ts";
import type { SwaggerSchema } from "./swagger.ts";

/** Collects the named records while schemas are converted to Swagger. */
export interface Definitions {
  /** Converts a schema. A named record becomes a reference to its definition. */
  use(schema: Schema): SwaggerSchema;
  /** All referenced definitions, by name. @throws Error when two records share a name, or a narrowed record is used without its full one */
  all(): Readonly<Record<string, SwaggerSchema>>;
}

export function collectDefinitions(): Definitions {
  const published = new Map<string, SwaggerSchema>();
  const records = new Map<string, RecordSchema>();
  const narrowed = new Set<string>();

  const define = (name: string, record: RecordSchema): void => {
    if (record.isNarrowed) {
      narrowed.add(name);
      for (const field of Object.values(record.properties)) use(field);
      return;
    }
    const known = records.get(name);
    if (known !== undefined) {
      // A nullable or optional use is a copy of the record that shares its fields.
      if (known.properties !== record.properties) throw new Error(`description: two records are named ${name}`);
      return;
    }
    records.set(name, record);
    published.set(name, body(record));
  };

  const body = ({ properties, required = [] }: RecordSchema): SwaggerSchema => ({
    type: "object",
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, use(field)])),
  });

  const shape = (schema: Schema): SwaggerSchema => {
    if (isRecord(schema)) {
      if (schema.title === undefined) return body(schema);
      define(schema.title, schema);
      return { $ref: `#/definitions/${schema.title}` };
    }
    if (schema.title === undefined) return plain(schema);
    published.set(schema.title, plain(schema));
    return { $ref: `#/definitions/${schema.title}` };
  };

  const plain = (schema: Schema): SwaggerSchema => ({
    ...(schema.type && { type: schema.type }),
    ...(schema.format && { format: schema.format }),
    ...(schema.enum && { enum: schema.enum }),
    ...(schema.maxLength && { maxLength: schema.maxLength }),
    ...(schema.maxItems && { [schema.type === "object" ? "maxProperties" : "maxItems"]: schema.maxItems }),
    ...(schema.items && { items: use(schema.items) }),
    ...(schema.additionalProperties && { additionalProperties: use(schema.additionalProperties) }),
  });

  const use = (schema: Schema): SwaggerSchema => ({
    ...shape(schema),
    ...(schema.nullable && { "x-nullable": true }),
    ...(schema.deprecated && { "x-deprecated": true }),
  });

  const all = (): Readonly<Record<string, SwaggerSchema>> => {
    for (const name of narrowed) if (!published.has(name)) throw new Error(`description: the narrowed ${name} is used and ${name} itself is not`);
    return Object.fromEntries([...published].sort(([a], [b]) => (a < b ? -1 : 1)));
  };

  return { use, all };
}
