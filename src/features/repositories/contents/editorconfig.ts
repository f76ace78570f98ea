import { parseGlob } from "../../../core/glob.ts";

/** Properties of a file by their `.editorconfig` names; unset ones are absent. */
export type EditorSettings = ReadonlyMap<string, string>;

interface Section {
  readonly pattern: string;
  readonly settings: EditorSettings;
}

/** Longer section names and properties are ignored (https://spec.editorconfig.org). */
const maxPatternLength = 1_024;
const maxValueLength = 255;
/** Limit on the total length of the patterns, about 50 ms of work. Further sections are ignored. */
const maxPatternsLength = 8_192;

/** The properties that a root `.editorconfig` sets for a path. */
export function settingsFor(text: string, path: string): EditorSettings {
  const found = new Map<string, string>();
  let length = 0;
  for (const { pattern, settings } of parseSections(text)) {
    length += pattern.length;
    if (length > maxPatternsLength) break;
    if (parseGlob(anchor(pattern), { syntax: "editorconfig", separators: "/" })?.matches(path)) for (const [name, value] of settings) found.set(name, value);
  }
  for (const [name, value] of found) if (value === "unset") found.delete(name);
  if (found.get("indent_style") === "tab" && !found.has("indent_size")) found.set("indent_size", "tab");
  return found;
}

function parseSections(text: string): Section[] {
  const sections: Section[] = [];
  let settings = new Map<string, string>();
  for (const line of text.replace(/^\ufeff/, "").split(/\r?\n/)) {
    const trimmed = line.trim();
    if (trimmed === "" || trimmed.startsWith("#") || trimmed.startsWith(";")) continue;
    if (trimmed.startsWith("[") && trimmed.endsWith("]")) {
      settings = new Map();
      const pattern = trimmed.slice(1, -1);
      if (pattern.length <= maxPatternLength) sections.push({ pattern, settings });
      continue;
    }
    const equals = trimmed.indexOf("=");
    if (equals === -1) continue;
    const name = trimmed.slice(0, equals).trim().toLowerCase();
    const value = trimmed
      .slice(equals + 1)
      .trim()
      .toLowerCase();
    if (value.length <= maxValueLength) settings.set(name, value);
  }
  return sections;
}

/** A pattern without a slash matches in every directory, one with a slash is relative to the root. */
function anchor(pattern: string): string {
  if (!pattern.includes("/")) return `{**/,}${pattern}`;
  return pattern.startsWith("/") ? pattern.slice(1) : pattern;
}
