import { invalid, malformed } from "../../../core/errors.ts";

const maxLength = 255;

/**
 * The name of a file as it will be shown and downloaded.
 * @param endings those that are taken, such as `.png`; `*` for all
 * @throws ForgeError `malformed` without a name, `invalid` for one that is no name of a file and for an ending that is not taken
 */
export function checkName(name: string, endings: readonly string[]): string {
  if (name === "") throw malformed("Could not determine name of attachment.");
  // What could lead out of a folder, or end a line of somebody's terminal, is no name.
  if (name.length > maxLength || name === "." || name === ".." || /[/\\\x00-\x1f\x7f\u2028\u2029\u202a-\u202e\u2066-\u2069]/.test(name)) {
    throw invalid(`an attachment's name is that of a file, of at most ${maxLength} characters`);
  }
  const folded = name.toLowerCase();
  if (!endings.some((ending) => ending === "*" || folded.endsWith(ending.toLowerCase()))) {
    throw invalid("This file cannot be uploaded or modified due to a forbidden file extension or type.");
  }
  return name;
}
