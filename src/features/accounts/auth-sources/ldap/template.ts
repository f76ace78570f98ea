/**
 * Puts texts in the places of a template, each escaped: what somebody types can be looked for and can never become part of the question.
 * `%s` stands for the login, `%d` for the name of the person's entry.
 */
export interface Placed {
  readonly login: string;
  readonly dn?: string;
}

/** A search filter (RFC 4515). */
export const fillFilter = (template: string, placed: Placed): string => fill(template, placed, escapeFilterValue);

/** The name of an entry (RFC 4514). */
export const fillDn = (template: string, placed: Placed): string => fill(template, placed, escapeDnValue);

const fill = (template: string, { login, dn = "" }: Placed, escapeValue: (text: string) => string): string =>
  template.replace(/%[sd]/g, (place) => escapeValue(place === "%s" ? login : dn));

/**
 * A value within a filter: of ASCII, everything but letters, digits and what can mean nothing there is written as bytes. Other letters stay:
 * the client reads escaped bytes one by one, and would look for something else.
 */
export const escapeFilterValue = (text: string): string =>
  text.toWellFormed().replace(/[^0-9A-Za-z @._=,\x80-\u{10ffff}-]/gu, (character) => `\\${character.charCodeAt(0).toString(16).padStart(2, "0")}`);

/** A value within the name of an entry: the same, and spaces too, since they mean nothing at its ends. */
export const escapeDnValue = (text: string): string =>
  text.replace(/[^0-9A-Za-z@._-]/gu, (character) => [...Buffer.from(character, "utf8")].map((byte) => `\\${byte.toString(16).padStart(2, "0")}`).join(""));
