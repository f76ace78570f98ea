/**
 * Fills the placeholders of a template with escaped values, so user input never becomes filter syntax. `%s` is the login, `%d` the
 * DN of the user's entry.
 */
export interface Placed {
  readonly login: string;
  readonly dn?: string;
}

/** A search filter (RFC 4515). */
export const fillFilter = (template: string, placed: Placed): string => fill(template, placed, escapeFilterValue);

/** A distinguished name (RFC 4514). */
export const fillDn = (template: string, placed: Placed): string => fill(template, placed, escapeDnValue);

const fill = (template: string, { login, dn = "" }: Placed, escapeValue: (text: string) => string): string =>
  template.replace(/%[sd]/g, (place) => escapeValue(place === "%s" ? login : dn));

/**
 * Escapes a value in a filter. ASCII characters other than letters, digits and harmless punctuation are written as bytes. Other
 * characters are kept: the client decodes escaped bytes one by one and would search for something else.
 */
export const escapeFilterValue = (text: string): string =>
  text.toWellFormed().replace(/[^0-9A-Za-z @._=,\x80-\u{10ffff}-]/gu, (character) => `\\${character.charCodeAt(0).toString(16).padStart(2, "0")}`);

/** Escapes a value in a distinguished name. Spaces are escaped too, because they are ignored at both ends. */
export const escapeDnValue = (text: string): string =>
  text.replace(/[^0-9A-Za-z@._-]/gu, (character) => [...Buffer.from(character, "utf8")].map((byte) => `\\${byte.toString(16).padStart(2, "0")}`).join(""));
