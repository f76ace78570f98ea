import { invalid } from "../../../core/errors.ts";

/**
 * The one form of a colour: six lower-case hex digits. Taken are also three, and a `#` before either.
 * @throws ForgeError `invalid`
 */
export function readColor(text: string): string {
  const given = text.trim();
  const [, digits] = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(given) ?? [];
  // @compat the text shows what has the length of a colour with the sign before it
  if (digits === undefined) throw invalid(`invalid color: ${given.length === 3 || given.length === 6 ? `#${given}` : given}`);
  return (digits.length === 3 ? digits.replace(/./g, "$&$&") : digits).toLowerCase();
}
