import type { Static, TSchema, TUnsafe } from "typebox";
import { lengths } from "../core/lengths.ts";

/**
 * The building blocks of API types. One schema object provides the static type (typebox's `Static`), the validation of request bodies
 * (`http/decode-body.ts`) and the API description (`http/description.ts`).
 * Schemas are plain JSON Schema objects with typebox's types. Its builders are not used, because they take longer to load than all schemas
 * together.
 * Nullable types are `nullable: true` and never a union, as in Swagger 2.0 and in compiled serializers.
 */
export interface Schema<T = unknown> extends TUnsafe<T> {
  readonly type?: "string" | "integer" | "boolean" | "array" | "object";
  readonly format?: "date-time" | "email" | "int64";
  readonly enum?: readonly string[];
  readonly nullable?: true;
  /** Request strings: maximum number of characters (Unicode code points). */
  readonly maxLength?: number;
  /** Request lists and maps: maximum number of items or members. */
  readonly maxItems?: number;
  /** Lists: schema of an item. */
  readonly items?: Schema;
  /** Maps: schema of a value. */
  readonly additionalProperties?: Schema;
  /** Records: fields in the order of serialization. */
  readonly properties?: Readonly<Record<string, Schema>>;
  /** Records: required fields in the description. */
  readonly required?: readonly string[];
  /** Name in the description; absent for an inline record and for most other schemas. */
  readonly title?: string;
  /** Records: a narrower view of the record with the same name. */
  readonly isNarrowed?: true;
  readonly deprecated?: true;
  /** Records: true for a request body, all of whose fields may be absent. */
  readonly isOption?: true;
  /** Response fields: omitted when they have no value. Choices of a request: may be absent. */
  readonly isOptional?: true;
  /** Request strings: `enum` only describes the usual values. */
  readonly acceptsOthers?: true;
  /** Metadata of a request field. */
  readonly field?: RequestField;
}

export interface RequestField {
  /** The name used in messages: `[Name]: Required`. */
  readonly go: string;
  readonly rules: readonly Rule[];
  /** The description marks the field as required although no rule enforces it. */
  readonly isExpected?: true;
  /** @compat A former name that clients still use (pulls/api/merge-ways.test.ts). */
  readonly formerName?: string;
}

/** The checks of a request field, with the names used in the contract. They run in order; `OmitEmpty` skips the rest for an empty value. */
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
/** A string with other values than the described ones. The type has the marker only so that a response cannot contain it. */
type Open<T> = Schema<T> & { readonly isOpen: true };
type Fields = Readonly<Record<string, Schema>>;
type ResponseFields = Readonly<Record<string, Schema & { readonly isOpen?: never }>>;
type OptionalName<F extends Fields> = { [K in keyof F]: F[K] extends { readonly isOptional: true } ? K : never }[keyof F];
type Flat<T> = { readonly [K in keyof T]: T[K] };

/** The value of a record. Optional fields may be undefined, so that a presenter can write them in their place. */
export type RecordOf<F extends Fields> = Flat<
  { [K in Exclude<keyof F, OptionalName<F>>]: Static<F[K]> } & { [K in OptionalName<F>]?: Static<F[K]> | undefined }
>;
export type RecordSchema<F extends Fields = Fields> = Schema<RecordOf<F>> & { readonly type: "object"; readonly properties: F };

/** The type parameter exists only at compile time, so the cast cannot be checked. */
const schema = <T>(shape: Omit<Schema, keyof TUnsafe>): Schema<T> => shape as Schema<T>;

/**
 * @typeParam T narrower than string where the values are known but not described as an enumeration
 * @param maxLength from `lengths.ts`; required in requests, unless a rule `MaxSize` provides it
 */
export const text = <T extends string = string>(maxLength?: number): Schema<T> => schema({ type: "string", ...(maxLength && { maxLength }) });
export const email = (): Schema<string> => schema({ type: "string", format: "email" });
/** RFC 3339. */
export const time = (): Schema<string> => schema({ type: "string", format: "date-time" });
export const int = (): Schema<number> => schema({ type: "integer", format: "int64" });
export const bool = (): Schema<boolean> => schema({ type: "boolean" });
/** @param maxLength for request strings */
export const anything = (maxLength?: number): Schema<unknown> => schema(maxLength === undefined ? {} : { maxLength });
/** One of some values. A request with another value is refused. */
export const choice = <const T extends string>(...values: readonly T[]): Schema<T> => schema({ type: "string", enum: values });
/**
 * A request string whose values are described as an enumeration. Decoding accepts other values: a rule `In` or the service rejects them.
 * @typeParam T narrower than string only if such a rule guarantees it
 */
export const usually = <T extends string = string>(...values: readonly NoInfer<T>[]): Open<T> =>
  schema({ type: "string", enum: values, acceptsOthers: true }) as Open<T>;
/** @param maxItems required in requests */
export const list = <T>(items: Schema<T>, maxItems?: number): Schema<readonly T[]> => schema({ type: "array", items, ...(maxItems && { maxItems }) });
/** @param maxItems required in requests */
export const mapOf = <T>(values: Schema<T>, maxItems?: number): Schema<Readonly<Record<string, T>>> =>
  schema({ type: "object", additionalProperties: values, ...(maxItems && { maxItems }) });

/** In a response: may be `null`. In a request: `null` and absence both decode to `null`. */
export const nullable = <T>(of: Schema<T>): Nullable<T> => ({ ...of, nullable: true }) as Nullable<T>;
/** A response field that is omitted when it has no value. */
export const optional = <T>(of: Schema<T>): Optional<T> => ({ ...of, isOptional: true }) as Optional<T>;
export const deprecated = <S extends Schema>(of: S): S => ({ ...of, deprecated: true });

/** A response record with a name in the description. Clients reject values that its enumerations do not contain, so it has no `usually`. */
export function record<const F extends ResponseFields>(title: string, fields: F): RecordSchema<F> {
  return { ...inPlace(fields), title };
}

/** A string or a list with a name in the description. */
export const named = <S extends Schema>(title: string, of: S): S => ({ ...of, title });

/** A record nested in another one: described under the same name, without the fields that never occur there. */
export function narrowed<const F extends Fields>(title: string, fields: F): RecordSchema<F> {
  return { ...record(title, fields), isNarrowed: true };
}

/** An unnamed record, described inline wherever it is used. */
export function inPlace<const F extends Fields>(fields: F): RecordSchema<F> {
  const required = Object.keys(fields).filter((name) => fields[name]?.isOptional === undefined);
  return schema({ type: "object", properties: fields, required }) as RecordSchema<F>;
}

/**
 * A request record with a name in the description. The decoded value has every field: an absent one is the zero value of its type (`""`,
 * 0, false, no items), or null if nullable.
 */
export function option<const F extends Fields>(title: string, fields: F): RecordSchema<F> {
  const required = Object.keys(fields).filter((name) => fields[name]?.field?.isExpected || fields[name]?.field?.rules.includes("Required"));
  return schema({ type: "object", title, properties: fields, required, isOption: true }) as RecordSchema<F>;
}

/** A request field. @param go its name in messages */
export const field = <S extends Schema>(go: string, of: S, ...rules: readonly Rule[]): S => ({ ...of, ...limitOf(of, rules), field: { go, rules } });

/** A request field that is described as required although its absence decodes to the zero value. */
export const expected = <S extends Schema>(go: string, of: S, ...rules: readonly Rule[]): S => ({
  ...of,
  ...limitOf(of, rules),
  field: { go, rules, isExpected: true },
});

/** The maximum length of a string that does not declare one: that of its rule, format or values. */
function limitOf({ type, format, enum: values, maxLength }: Schema, rules: readonly Rule[]): Pick<Schema, "maxLength"> {
  if (type !== "string" || maxLength !== undefined) return {};
  const sizes = rules.flatMap((rule) => /^MaxSize\((\d+)\)$/.exec(rule)?.slice(1).map(Number) ?? []);
  const [stated = format === "email" ? lengths.email : format === "date-time" || values !== undefined ? lengths.line : undefined] = sizes;
  return stated === undefined ? {} : { maxLength: stated };
}

/** A request field that clients also send under the name used in messages. */
export const renamed = <S extends Schema>(of: S): S => ({ ...of, field: { go: "", rules: [], ...of.field, formerName: of.field?.go ?? "" } });

/** The name of a request field in messages. */
export const fieldName = (of: Schema, wireName: string): string => of.field?.go ?? wireName;

export const isRecord = (of: Schema): of is RecordSchema => of.properties !== undefined;

/** All schemas are created by the functions above. Routes only see typebox's type. */
export const asSchema = (of: TSchema): Schema => of as Schema;
