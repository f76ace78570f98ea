/**
 * A text with values in place of their names in braces: `closed {object} {when}`. Languages have them in different places.
 * @returns the pieces in order; names without a value are left out
 */
export const fill = <T>(text: string, parts: Readonly<Record<string, T>>): readonly (T | string)[] =>
  text.split(/\{(\w+)\}/).map((piece, at) => (at % 2 === 0 ? piece : (parts[piece] ?? "")));

/** A text with strings in place of their names, with single spaces. */
export const fillText = (text: string, parts: Readonly<Record<string, string>>): string => fill(text, parts).join("").replace(/\s+/g, " ").trim();
