import type { ForeignValue } from "../../db/foreign-database.ts";
import { textOf } from "./source.ts";

/** JSON of Gitea, which an old version may have encoded twice. Undefined for anything else. */
export function jsonOf(value: ForeignValue | undefined): unknown {
  const text = textOf(value);
  if (text === "") return undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "string" ? JSON.parse(parsed) : parsed;
  } catch {
    return undefined;
  }
}

export const recordOf = (value: ForeignValue | undefined): Readonly<Record<string, unknown>> => {
  const parsed = jsonOf(value);
  return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed) ? (parsed as Record<string, unknown>) : {};
};

export const idsOf = (value: ForeignValue | undefined): readonly number[] => {
  const parsed = jsonOf(value);
  return Array.isArray(parsed) ? [...new Set(parsed.map(Number).filter(Number.isSafeInteger))] : [];
};

export const stringsOf = (value: ForeignValue | undefined): readonly string[] | null => {
  const parsed = jsonOf(value);
  return Array.isArray(parsed) ? parsed.map(String) : null;
};
