import { parseTime } from "../../../core/time.ts";
import type { Oid } from "../../../git/types.ts";

/**
 * Readers for untrusted JSON of other servers. A value of an unexpected type is read as the zero value of the expected one, and
 * strings are truncated to this server's limits.
 */
export type Foreign = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Foreign => typeof value === "object" && value !== null && !Array.isArray(value);

export const asObject = (value: unknown): Foreign => (isObject(value) ? value : {});
export const objectIn = (of: Foreign, name: string): Foreign => (isObject(of[name]) ? of[name] : {});
export const objectsIn = (value: unknown): readonly Foreign[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** Without characters that no text here may contain. */
export const textIn = (of: Foreign, name: string, maxLength: number): string => {
  const value = of[name];
  return typeof value === "string" ? value.replaceAll("\0", "").toWellFormed().slice(0, maxLength) : "";
};

/** The strings of a list. */
export const textsIn = (of: Foreign, name: string, maxLength: number): readonly string[] => {
  const value = of[name];
  return Array.isArray(value) ? value.map((text) => textIn({ text }, "text", maxLength)).filter((text) => text !== "") : [];
};

/** A positive number that is valid as an id here; 0 for anything else. */
export const idIn = (of: Foreign, name: string): number => {
  const value = of[name];
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 && value < 2 ** 53 ? value : 0;
};

/** A complete git object id; undefined for anything else. */
export const oidIn = (of: Foreign, name: string): Oid | undefined => {
  const value = of[name];
  return typeof value === "string" && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(value) ? value : undefined;
};

export const flagIn = (of: Foreign, name: string): boolean => of[name] === true;

/** Null for invalid times and times before 1970: servers send the start of their calendar for "never". */
export const timeIn = (of: Foreign, name: string): number | null => {
  const value = of[name];
  const time = typeof value === "string" ? parseTime(value) : undefined;
  return time === undefined || time <= 0 ? null : time;
};
