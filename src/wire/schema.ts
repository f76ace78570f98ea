import type { Static, TSchema, TUnsafe } from "typebox";
import { lengths } from "../core/lengths.ts";

/**
 * The building blocks of the wire's shapes. One schema object is the static type (typebox's `Static`), what a request body is checked
 * against (`http/decode-body.ts`), and what is published (`http/description.ts`).
 *
 * Schemas are plain JSON Schema objects with typebox's types; its builders stay out, because they take longer to load than all shapes together.
 * "May be null" is `nullable: true` and never a union, as Swagger 2.0 and compiled serializers want it.
 */
export interface Schema<T = unknown> extends TUnsafe<T> {
  readonly type?: "string" | "integer" | "boolean" | "array" | "object";
  readonly format?: "date-time" | "email" | "int64";
  readonly enum?: readonly string[];
  readonly nullable?: true;
  /** Texts of a request: the most characters (Unicode code points). */
  readonly maxLength?: number;
  /** Lists and maps of a request: the most items or members. */
  readonly maxItems?: number;
  /** Lists: the schema of an item. */
  readonly items?: Schema;
  /** Maps: the schema of a value. */
  readonly additionalProperties?: Schema;
  /** Records: the fields in the order in which they are served. */
  readonly properties?: Readonly<Record<string, Schema>>;
  /** Records: the fields that the description states as required. */
  readonly required?: readonly string[];
  /** The published name; absent for a record that is written in place, and for most other schemas. */
  readonly title?: string;
  /** Records: a narrower view of the record whose name this bears. */
  readonly isNarrowed?: true;
  readonly deprecated?: true;
  /** Records: true for the body of a request, whose fields may all be absent. */
  readonly isOption?: true;
  /** Fields of an answer: left out when there is nothing to show. */
  readonly isOptional?: true;
  /** Fields of a request. */
  readonly field?: RequestField;
}

export interface RequestField {
  /** The name that messages use: `[Name]: Required`. */
  readonly go: string;
  readonly rules: readonly Rule[];
  /** The description states the field as required though no rule enforces it. */
  readonly isExpected?: true;
  /** @compat what clients still call it. */
  readonly formerName?: string;
}

/** The checks of a request's field, spelt as the contract's facts spell them. They run in order; `OmitEmpty` ends them for an empty value. */
export type Rule =
  | "AlphaDashDot"
  | "Email"
  | "GitRefName"
  | "GlobPattern"
  | "OmitEmpty"
  | "Required"
  | "Username"
  | "ValidUrl"
  | `In(${string})`
  | `MaxSize(${number})`;

type Nullable<T> = Schema<T | null> & { readonly nullable: true };
type Optional<T> = Schema<T> & { readonly isOptional: true };
type Fields = Readonly<Record<string, Schema>>;
type OptionalName<F extends Fields> = { [K in keyof F]: F[K] extends { readonly isOptional: true } ? K : never }[keyof F];
type Flat<T> = { readonly [K in keyof T]: T[K] };

/** The value of a record: optional fields may be undefined, so that a presenter can write them in their place. */
export type RecordOf<F extends Fields> = Flat<
  { [K in Exclude<keyof F, OptionalName<F>>]: Static<F[K]> } & { [K in OptionalName<F>]?: Static<F[K]> | undefined }
>;
export type RecordSchema<F extends Fields = Fields> = Schema<RecordOf<F>> & { readonly type: "object"; readonly properties: F };

/** The type of a schema exists for the compiler alone, so no value can show it. */
const schema = <T>(shape: Omit<Schema, keyof TUnsafe>): Schema<T> => shape as Schema<T>;

/**
 * @typeParam T narrower than string where the values are known but not published as an enumeration
 * @param maxLength of `lengths.ts`; required in requests, where a rule `MaxSize` may state it instead
 */
export const text = <T extends string = string>(maxLength?: number): Schema<T> => schema({ type: "string", ...(maxLength && { maxLength }) });
export const email = (): Schema<string> => schema({ type: "string", format: "email" });
/** RFC 3339. */
export const time = (): Schema<string> => schema({ type: "string", format: "date-time" });
export const int = (): Schema<number> => schema({ type: "integer", format: "int64" });
export const bool = (): Schema<boolean> => schema({ type: "boolean" });
/** @param maxLength where the value is a text of a request */
export const anything = (maxLength?: number): Schema<unknown> => schema(maxLength === undefined ? {} : { maxLength });
export const choice = <const T extends string>(...values: readonly T[]): Schema<T> => schema({ type: "string", enum: values });
/**
 * A request's text whose values are published as an enumeration. Reading refuses no others: a rule `In` or the service does.
 * @typeParam T narrower than string only where such a rule holds it
 */
export const usually = <T extends string = string>(...values: readonly NoInfer<T>[]): Schema<T> => schema({ type: "string", enum: values });
/** @param maxItems required in requests */
export const list = <T>(items: Schema<T>, maxItems?: number): Schema<readonly T[]> => schema({ type: "array", items, ...(maxItems && { maxItems }) });
/** @param maxItems required in requests */
export const mapOf = <T>(values: Schema<T>, maxItems?: number): Schema<Readonly<Record<string, T>>> =>
  schema({ type: "object", additionalProperties: values, ...(maxItems && { maxItems }) });

/** In an answer: may be `null`. In a request: `null` or absence can be told from a value, and both read as `null`. */
export const nullable = <T>(of: Schema<T>): Nullable<T> => ({ ...of, nullable: true }) as Nullable<T>;
/** A field that an answer leaves out when there is nothing to show. */
export const optional = <T>(of: Schema<T>): Optional<T> => ({ ...of, isOptional: true }) as Optional<T>;
export const deprecated = <S extends Schema>(of: S): S => ({ ...of, deprecated: true });

/** An answer's record, under its published name. */
export function record<const F extends Fields>(title: string, fields: F): RecordSchema<F> {
  return { ...inPlace(fields), title };
}

/** A text or a list under a published name. */
export const named = <S extends Schema>(title: string, of: S): S => ({ ...of, title });

/** A record as another one shows it: published under the same name, without the fields that never occur there. */
export function narrowed<const F extends Fields>(title: string, fields: F): RecordSchema<F> {
  return { ...record(title, fields), isNarrowed: true };
}

/** A record without a name of its own, written in place wherever it is used. */
export function inPlace<const F extends Fields>(fields: F): RecordSchema<F> {
  const required = Object.keys(fields).filter((name) => fields[name]?.isOptional === undefined);
  return schema({ type: "object", properties: fields, required }) as RecordSchema<F>;
}

/**
 * A record that a request may carry, under its published name. What a handler gets has every field:
 * an absent one is the zero of its type (`""`, 0, false, no items), or null where it is nullable.
 */
export function option<const F extends Fields>(title: string, fields: F): RecordSchema<F> {
  const required = Object.keys(fields).filter((name) => fields[name]?.field?.isExpected || fields[name]?.field?.rules.includes("Required"));
  return schema({ type: "object", title, properties: fields, required, isOption: true }) as RecordSchema<F>;
}

/** A field of a request. @param go its name in messages */
export const field = <S extends Schema>(go: string, of: S, ...rules: readonly Rule[]): S => ({ ...of, ...limitOf(of, rules), field: { go, rules } });

/** A field of a request that is published as required while its absence reads as the zero value. */
export const expected = <S extends Schema>(go: string, of: S, ...rules: readonly Rule[]): S => ({
  ...of,
  ...limitOf(of, rules),
  field: { go, rules, isExpected: true },
});

/** The length of a text whose declaration does not state one: that of its rule, format or values. */
function limitOf({ type, format, enum: values, maxLength }: Schema, rules: readonly Rule[]): Pick<Schema, "maxLength"> {
  if (type !== "string" || maxLength !== undefined) return {};
  const sizes = rules.flatMap((rule) => /^MaxSize\((\d+)\)$/.exec(rule)?.slice(1).map(Number) ?? []);
  const [stated = format === "email" ? lengths.email : format === "date-time" || values !== undefined ? lengths.line : undefined] = sizes;
  return stated === undefined ? {} : { maxLength: stated };
}

/** A field of a request that clients also send under the name that messages use for it. */
export const renamed = <S extends Schema>(of: S): S => ({ ...of, field: { go: "", rules: [], ...of.field, formerName: of.field?.go ?? "" } });

/** The name that messages use for a field of a request. */
export const fieldName = (of: Schema, wireName: string): string => of.field?.go ?? wireName;

export const isRecord = (of: Schema): of is RecordSchema => of.properties !== undefined;

/** Every schema of this interface comes from the functions above; a declaration of a route knows it only by typebox's type. */
export const asSchema = (of: TSchema): Schema => of as Schema;
