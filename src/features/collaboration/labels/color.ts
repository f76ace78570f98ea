import { invalid } from "../../../core/errors.ts";

/**
 * Normalizes a color to six lower-case hex digits. Accepts three or six digits with an optional `#`.
 * @throws ForgeError `invalid`
 */
export function readColor(text: string): string {
  const given = text.trim();
  const [, digits] = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(given) ?? [];
  // @compat the message shows a value that has the length of a color with a leading `#` (labels/color.test.ts)
  if (digits === undefined) throw invalid(`invalid color: ${given.length === 3 || given.length === 6 ? `#${given}` : given}`, { reason: "invalid_color" });
  return (digits.length === 3 ? digits.replace(/./g, "$&$&") : digits).toLowerCase();
}
