/** The longest name of an account (wire facts, CreateUserOption). */
const maxLength = 40;

/**
 * The name that an account gets from what a source calls somebody; an address gives what stands before its `@`. Accents go; whatever else
 * no name here holds becomes a dash, so that a letter of another script never turns into one that only looks like it.
 * @returns perhaps a name that breaks a rule: whoever makes the account checks it
 */
export function accountName(text: string): string {
  return text
    .replace(/@.*$/s, "")
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .replace(/[^0-9A-Za-z._-]+/g, "-")
    .replace(/[._-]*([._-])/g, "$1")
    .slice(0, maxLength)
    .replace(/^[._-]+|[._-]+$/g, "");
}
