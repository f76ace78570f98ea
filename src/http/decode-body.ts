import { isUtf8 } from "node:buffer";
import type { TSchema } from "typebox";
import { type ForgeError, invalid } from "../core/errors.ts";
import { isLongerThan, lengths } from "../core/lengths.ts";
import type { ReasonValues } from "../core/reasons.ts";
import { asSchema, fieldName, isRecord, type Schema } from "../wire/schema.ts";
import { checkRule } from "./rules.ts";

/** No request type is nested deeper than this. */
const maxDepth = 8;

/**
 * Decodes a request body by its schema. Unknown members are ignored. Names match case-insensitively, exact matches first.
 * Absent fields get the zero value of their type, or null if nullable. Form strings are converted to the types of the fields. Then the
 * field rules are checked in the order of the schema.
 * @returns an object with all declared names and no others
 * @throws ForgeError `invalid`: `[Name]: Required` and similar, or `[]: ...` for a value of the wrong type
 */
export function decodeBody(schema: TSchema, values: Readonly<Record<string, unknown>>, isForm: boolean): unknown {
  const shape = asSchema(schema);
  const decoded = decodeRecord(shape, values, { isForm, path: "", depth: 0 });
  checkFields(shape, decoded);
  return decoded;
}

/** The value of a request without a body: the zero value of each field. */
export const absentBody = (schema: TSchema): unknown => decodeRecord(asSchema(schema), {}, { isForm: false, path: "", depth: 0 });

/** Decodes a plain text body. @throws ForgeError `invalid` for bytes that are not UTF-8 */
export function decodeText(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw invalid("[]: the body is not valid UTF-8");
  return bytes.toString("utf8");
}

interface At {
  readonly isForm: boolean;
  readonly path: string;
  readonly depth: number;
}

const below = (at: At, name: string): At => ({ ...at, path: at.path === "" ? name : `${at.path}.${name}`, depth: at.depth + 1 });

function decodeRecord(shape: Schema, values: Readonly<Record<string, unknown>>, at: At): Record<string, unknown> {
  if (at.depth > maxDepth) throw invalid(`[]: ${at.path} is nested deeper than this server reads`);
  const folded = new Map(Object.keys(values).map((name) => [name.toLowerCase(), name]));
  const result: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(shape.properties ?? {})) {
    const given = Object.hasOwn(values, name) ? name : (folded.get(name.toLowerCase()) ?? folded.get(field.field?.formerName?.toLowerCase() ?? ""));
    const value = at.isForm && isMap(field) ? membersOf(values, name) : given === undefined ? undefined : values[given];
    const isAbsent = value === undefined || value === null || (value === "" && field.isOptional === true && isChoice(field));
    result[name] = isAbsent ? absentValue(field, below(at, name)) : decodeValue(field, value, below(at, name));
  }
  return result;
}

const isMap = ({ type, properties, additionalProperties }: Schema): boolean =>
  type === "object" && properties === undefined && additionalProperties !== undefined;

/** A form names the members of a map `name.member`. */
const membersOf = (values: Readonly<Record<string, unknown>>, name: string): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(values).flatMap(([given, value]) => (given.startsWith(`${name}.`) ? [[given.slice(name.length + 1), value]] : [])));

/** An enumeration has no zero value. */
function absentValue(shape: Schema, at: At): unknown {
  if (!isChoice(shape) || shape.nullable === true) return zeroOf(shape);
  if (shape.isOptional !== true) throw notOffered(shape, at);
  return undefined;
}

const isChoice = ({ enum: values, acceptsOthers, field }: Schema): boolean =>
  values !== undefined && acceptsOthers !== true && !field?.rules.some((rule) => rule.startsWith("In("));

const notOffered = ({ enum: values = [], field }: Schema, { path }: At): ForgeError =>
  invalid(`[${field?.go ?? path}]: one of ${values.join(", ")}`, { reason: "choice_required" });

function zeroOf(shape: Schema): unknown {
  if (shape.nullable === true) return null;
  switch (shape.type) {
    case "string":
      return "";
    case "integer":
      return 0;
    case "boolean":
      return false;
    case "array":
      return [];
    case "object":
      return shape.properties === undefined ? {} : Object.fromEntries(Object.entries(shape.properties).map(([name, field]) => [name, zeroOf(field)]));
    default:
      return null;
  }
}

function decodeValue(shape: Schema, given: unknown, at: At): unknown {
  const value = at.isForm ? fromForm(shape, given) : given;
  const wrong = () => invalid(`[]: ${at.path} must be ${described(shape)}, not ${nameOf(value)}`);
  switch (shape.type) {
    case "string":
      if (typeof value !== "string") throw wrong();
      checkLength(shape, value, at);
      if (isChoice(shape) && shape.enum?.includes(value) !== true) throw notOffered(shape, at);
      return value;
    case "boolean":
      if (typeof value !== "boolean") throw wrong();
      return value;
    case "integer":
      if (typeof value !== "number" || !Number.isSafeInteger(value)) throw wrong();
      return value;
    case "array": {
      if (!Array.isArray(value)) throw wrong();
      checkCount(shape, value.length, at);
      const { items } = shape;
      if (items === undefined) return value;
      return value.filter((item) => item !== null || items.type === undefined).map((item, index) => decodeValue(items, item, below(at, `[${index}]`)));
    }
    case "object": {
      if (typeof value !== "object" || value === null || Array.isArray(value)) throw wrong();
      const { additionalProperties } = shape;
      if (isRecord(shape) || additionalProperties === undefined) return decodeRecord(shape, value as Record<string, unknown>, at);
      // `__proto__` is dropped: it is an accessor on most objects that the map could be copied to.
      const members = Object.entries(value).filter(([name, member]) => name !== "__proto__" && member !== null);
      checkCount(shape, members.length, at);
      if (members.some(([name]) => name.length > lengths.line))
        throw invalid(`[]: ${at.path}: names have at most ${lengths.line} characters`, { reason: { code: "too_long", max: lengths.line } });
      return Object.fromEntries(members.map(([name, member]) => [name, decodeValue(additionalProperties, member, below(at, name))]));
    }
    default:
      if (typeof value === "string") checkLength(shape, value, at);
      return value;
  }
}

/** `MaxSize` is checked with the other rules, which have their own messages. */
function checkLength({ maxLength, field }: Schema, value: string, { path }: At): void {
  if (maxLength === undefined || field?.rules.some((rule) => rule.startsWith("MaxSize("))) return;
  if (isLongerThan(value, maxLength)) throw beyond(field, path, { code: "too_long", max: maxLength });
}

/** A field is named as in the messages of the other rules, an item or member by its path. */
function beyond(field: Schema["field"], path: string, reason: Limit): ForgeError {
  const limit = `${reason.max} ${reason.code === "too_long" ? "characters" : "items"}`;
  return invalid(field === undefined ? `[]: ${path} may have at most ${limit}` : `[${field.go}]: at most ${limit}`, { reason });
}

type Limit = { readonly [C in "too_long" | "too_many_items"]: { readonly code: C } & ReasonValues[C] }["too_long" | "too_many_items"];

function checkCount({ maxItems, field }: Schema, count: number, { path }: At): void {
  if (maxItems !== undefined && count > maxItems) throw beyond(field, path, { code: "too_many_items", max: maxItems });
}

/** @param given a string, or several under one name: the last one counts, except for lists */
function fromForm(shape: Schema, given: unknown): unknown {
  const text = Array.isArray(given) && shape.type !== "array" ? given.at(-1) : given;
  if (typeof text !== "string") return text;
  if (shape.type === "boolean") return /^(1|t|true|on)$/i.test(text) ? true : /^(0|f|false|off|)$/i.test(text) ? false : text;
  if (shape.type === "integer" && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (shape.type === "array") return text.split(",");
  return text;
}

const kinds: Readonly<Record<string, string>> = { string: "a string", boolean: "a boolean", integer: "an integer", array: "a list", object: "an object" };
const described = (shape: Schema): string => kinds[shape.type ?? ""] ?? "another value";

function nameOf(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "number") return Number.isSafeInteger(value) ? "a number" : `${value}, which is not an integer in the supported range`;
  return typeof value === "object" ? "an object" : typeof value === "string" ? "a string" : `a ${typeof value}`;
}

function checkFields(shape: Schema, values: Readonly<Record<string, unknown>>): void {
  for (const [name, field] of Object.entries(shape.properties ?? {})) {
    const value = values[name];
    // Absence decodes to null in nullable fields, and to an empty string in the others.
    if (field.format === "date-time" && value !== null && (value !== "" || field.nullable === true)) {
      const broken = checkRule("Time", value);
      if (broken !== undefined) throw invalid(`[]: ${name}: ${broken.message}`);
    }
    for (const rule of field.field?.rules ?? []) {
      if (rule === "OmitEmpty") {
        if (value === null || value === "") break;
        continue;
      }
      const broken = checkRule(rule, value);
      if (broken !== undefined) throw invalid(`[${fieldName(field, name)}]: ${broken.message}`, { reason: broken.reason });
    }
    if (Array.isArray(value) && field.items?.properties !== undefined) {
      for (const item of value) checkFields(field.items, item as Record<string, unknown>);
    } else if (isRecord(field) && value !== null) checkFields(field, value as Record<string, unknown>);
  }
}
