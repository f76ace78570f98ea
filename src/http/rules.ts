import { isValidEmail, isValidUsername } from "../core/names.ts";
import { parseTime } from "../core/time.ts";
import { isWebUrl } from "../core/urls.ts";

/**
 * The rules of request fields, by the names of the contract's types (`contract/types.json`, `rules`).
 * @returns the text that follows the field's name in the message, or undefined for a valid value. Absent and empty values satisfy all
 * rules but `Required`.
 */
export function checkRule(rule: string, value: unknown): string | undefined {
  const [, name = rule, argument = ""] = /^(\w+)(?:\((.*)\))?$/s.exec(rule) ?? [];
  if (name === "Required") return value === undefined || value === null || value === "" ? "Required" : undefined;
  if (typeof value !== "string" || value === "") return undefined;
  switch (name) {
    case "MaxSize":
      return [...value].length > Number(argument) ? "MaxSize" : undefined;
    case "AlphaDashDot":
      return /^[\w.-]+$/.test(value) ? undefined : "AlphaDashDot";
    case "GitRefName":
      return isPlausibleRefName(value) ? undefined : "GitRefName";
    case "Email":
      return isValidEmail(value) ? undefined : "Email";
    case "Username":
      return isValidUsername(value) ? undefined : "invalid username";
    case "ValidUrl":
      return isWebUrl(value) ? undefined : "Url";
    case "In":
      return argument.split(",").includes(value) ? undefined : "In";
    case "GlobPattern":
      return undefined;
    case "Time":
      return parseTime(value) === undefined ? `"${value}" is not an RFC 3339 time, such as 2026-01-02T15:04:05Z` : undefined;
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
