import { invalid, malformed } from "../../../core/errors.ts";

const maxLength = 255;

/**
 * Validates the name of a file.
 * @param endings accepted extensions such as `.png`; `*` for all
 * @throws ForgeError `malformed` without a name, `invalid` for an invalid name or a rejected extension
 */
export function checkName(name: string, endings: readonly string[]): string {
  if (name === "") throw malformed("Could not determine name of attachment.");
  // Rejects path separators, control characters and bidirectional overrides: they could escape a folder or garble a terminal.
  if (name.length > maxLength || name === "." || name === ".." || /[/\\\x00-\x1f\x7f\u2028\u2029\u202a-\u202e\u2066-\u2069]/.test(name)) {
    throw invalid(`an attachment name must be a valid file name of at most ${maxLength} characters`, { reason: "invalid_file_name" });
  }
  const folded = name.toLowerCase();
  if (!endings.some((ending) => ending === "*" || folded.endsWith(ending.toLowerCase()))) {
    throw invalid("This file cannot be uploaded or modified due to a forbidden file extension or type.", { reason: "file_type_not_allowed" });
  }
  return name;
}
