/** Maximum length of an account name (wire facts, CreateUserOption). */
const maxLength = 40;

/**
 * Derives an account name from a source's name for a user. An email address gives its local part. Accents are removed, and every
 * other character that account names do not allow becomes a dash, so a letter of another script never turns into a lookalike.
 * @returns a name that may still break a rule: the code that creates the account validates it
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
