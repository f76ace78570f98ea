import { create, createFileRegistry, type JsonObject, type Message } from "@bufbuild/protobuf";
import type { GenMessage } from "@bufbuild/protobuf/codegenv2";
import {
  FileDescriptorProtoSchema,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
  FieldDescriptorProto_Label as Label,
  type Timestamp,
  FieldDescriptorProto_Type as Type,
} from "@bufbuild/protobuf/wkt";

/** A field of a message. `Shape` is the type of its property; undefined in it marks a field that may be absent. */
export interface Field<Shape> {
  readonly number: number;
  readonly type: Type;
  /** The message or enumeration: full with a leading dot, or of the same package. */
  readonly typeName?: string;
  readonly isRepeated?: boolean;
  /** The values of a map from strings. */
  readonly mapValue?: Field<unknown>;
  /** For the compiler only. */
  readonly shape?: Shape;
}

type Fields = Readonly<Record<string, Field<unknown>>>;
type ShapeOf<F> = F extends Field<infer Shape> ? Shape : never;
type OptionalKeys<F extends Fields> = { [K in keyof F]: undefined extends ShapeOf<F[K]> ? K : never }[keyof F];

export type MessageOf<F extends Fields> = Message & { [K in Exclude<keyof F, OptionalKeys<F>>]: ShapeOf<F[K]> } & { [K in OptionalKeys<F>]?: ShapeOf<F[K]> };

export const text = (number: number): Field<string> => ({ number, type: Type.STRING });
export const bool = (number: number): Field<boolean> => ({ number, type: Type.BOOL });
export const int64 = (number: number): Field<bigint> => ({ number, type: Type.INT64 });
export const bytes = (number: number): Field<Uint8Array> => ({ number, type: Type.BYTES });
export const timestamp = (number: number): Field<Timestamp | undefined> => ({ number, type: Type.MESSAGE, typeName: ".google.protobuf.Timestamp" });
export const json = (number: number): Field<JsonObject | undefined> => ({ number, type: Type.MESSAGE, typeName: ".google.protobuf.Struct" });
export const enumeration = <Value extends number>(number: number, typeName: string): Field<Value> => ({ number, type: Type.ENUM, typeName });
export const message = <F extends Fields>(number: number, typeName: string, _fields: F): Field<MessageOf<F> | undefined> => ({
  number,
  type: Type.MESSAGE,
  typeName,
});
export const list = <Shape>({ number, type, typeName }: Field<Shape>): Field<NonNullable<Shape>[]> => ({
  number,
  type,
  ...(typeName !== undefined && { typeName }),
  isRepeated: true,
});
export const map = <Shape>(number: number, mapValue: Field<Shape>): Field<Record<string, NonNullable<Shape>>> => ({ number, type: Type.MESSAGE, mapValue });

type Schemas<M extends Readonly<Record<string, Fields>>> = { readonly [K in keyof M]: GenMessage<MessageOf<M[K]>> };

/** Builds the schemas of messages, as a compiler of protobuf definitions would (proto3). */
export function definePackage<M extends Readonly<Record<string, Fields>>>(
  name: string,
  messages: M,
  enums: Readonly<Record<string, { readonly prefix: string; readonly values: Readonly<Record<string, number>> }>> = {},
): Schemas<M> {
  const file = create(FileDescriptorProtoSchema, {
    name: `${name}.proto`,
    package: name,
    syntax: "proto3",
    dependency: dependencies.map(({ proto }) => proto.name),
    messageType: Object.entries(messages).map(([messageName, fields]) => describeMessage(`${name}.${messageName}`, fields, name)),
    enumType: Object.entries(enums).map(([enumName, { prefix, values }]) => ({
      name: enumName,
      value: Object.entries(values).map(([value, number]) => ({ name: `${prefix}_${value}`, number })),
    })),
  });
  const registry = createFileRegistry(file, (path) => dependencies.find(({ proto }) => proto.name === path));
  return Object.fromEntries(Object.keys(messages).map((messageName) => [messageName, registry.getMessage(`${name}.${messageName}`)])) as unknown as Schemas<M>;
}

const dependencies = [file_google_protobuf_struct, file_google_protobuf_timestamp];

const snakeCase = (property: string): string => property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const entryName = (property: string): string => `${property.charAt(0).toUpperCase()}${property.slice(1)}Entry`;

function describeMessage(fullName: string, fields: Fields, packageName: string) {
  const maps = Object.entries(fields).filter(([, { mapValue }]) => mapValue !== undefined);
  return {
    name: fullName.slice(packageName.length + 1),
    field: Object.entries(fields).map(([property, field]) =>
      describeField(
        property,
        field.mapValue === undefined ? field : { ...field, typeName: `.${fullName}.${entryName(property)}`, isRepeated: true },
        packageName,
      ),
    ),
    // A map is a list of messages with a key and a value.
    nestedType: maps.map(([property, { mapValue = text(2) }]) => ({
      name: entryName(property),
      field: [describeField("key", text(1), packageName), describeField("value", mapValue, packageName)],
      options: { mapEntry: true },
    })),
  };
}

const describeField = (property: string, { number, type, typeName, isRepeated }: Field<unknown>, packageName: string) => ({
  name: snakeCase(property),
  jsonName: property,
  number,
  type,
  label: isRepeated ? Label.REPEATED : Label.OPTIONAL,
  ...(typeName !== undefined && { typeName: typeName.startsWith(".") ? typeName : `.${packageName}.${typeName}` }),
});
