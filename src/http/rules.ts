import { isValidEmail, isValidUsername } from "../core/names.ts";
import type { Explained } from "../core/reasons.ts";
import { parseTime } from "../core/time.ts";
import { isWebUrl } from "../core/urls.ts";

/**
 * The rules of request fields, by the names of the contract's types (`contract/types.json`, `rules`).
 * @returns undefined for a valid value; otherwise the text that follows the field's name in the message, and the reason. Absent and empty values satisfy all
 * rules but `Required` and `Time`.
 */
export function checkRule(rule: string, value: unknown): Explained | undefined {
  const [, name = rule, argument = ""] = /^(\w+)(?:\((.*)\))?$/s.exec(rule) ?? [];
  if (name === "Required") return value === undefined || value === null || value === "" ? { message: "Required", reason: "required" } : undefined;
  if (typeof value !== "string" || (value === "" && name !== "Time")) return undefined;
  switch (name) {
    case "MaxSize":
      return [...value].length > Number(argument) ? { message: "MaxSize", reason: { code: "too_long", max: Number(argument) } } : undefined;
    case "AlphaDashDot":
      return /^[\w.-]+$/.test(value) ? undefined : { message: "AlphaDashDot", reason: "name_characters" };
    case "GitRefName":
      return isPlausibleRefName(value) ? undefined : { message: "GitRefName", reason: "invalid_ref_name" };
    case "Email":
      return isValidEmail(value) ? undefined : { message: "Email", reason: "invalid_email" };
    case "Username":
      return isValidUsername(value) ? undefined : { message: "invalid username", reason: "invalid_username" };
    case "ValidUrl":
      return isWebUrl(value) ? undefined : { message: "Url", reason: "invalid_url" };
    case "In": {
      const values = argument.split(",");
      return values.includes(value) ? undefined : { message: "In", reason: { code: "invalid_choice", values: values.filter((one) => one !== "") } };
    }
    case "GlobPattern":
      return undefined;
    case "Time":
      return parseTime(value) === undefined ? { message: `"${value}" is not an RFC 3339 time, such as 2026-01-02T15:04:05Z` } : undefined;
    default:
      throw new Error(`request rule ${rule} has no check`);
  }
}

/** The rules of git-check-ref-format(1) for one name below `refs/heads/`. */
function isPlausibleRefName(name: string): boolean {
  if (/[\x00-\x20\x7f~^:?*[\\]/.test(name) || name.includes("..") || name.includes("@{") || name.includes("//")) return false;
  if (name === "@" || name.startsWith("/") || name.endsWith("/") || name.startsWith("-") || name.endsWith(".")) return false;
  return name.split("/").every((part) => part !== "" && !part.startsWith(".") && !part.endsWith(".lock"));
}
