/**
 * Names are ASCII, so only A to Z are folded. Unicode lower-casing could turn another script's character into a valid name (the
 * Kelvin sign becomes k).
 */
export const foldName = (name: string): string => name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Email addresses are compared in lower case; they are ASCII (see {@link isValidEmail}). */
export const foldEmail = foldName;

/** Alphanumeric characters and `-_.`; alphanumeric at both ends; no two punctuation characters in a row. */
export const isValidUsername = (name: string): boolean => /^[0-9A-Za-z]+(?:[-_.][0-9A-Za-z]+)*$/.test(name);

/** Alphanumeric characters and `-_.`, at most 100. */
export const isValidRepositoryName = (name: string): boolean => /^[\w.-]{1,100}$/.test(name);

const email = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/;

/** An address that the server can send to and compare: ASCII, one `@`, no leading dash, at most 254 characters. */
export const isValidEmail = (text: string): boolean => text.length <= 254 && !text.startsWith("-") && email.test(text);

const reservedAccountNames = new Set(
  ". .. .well-known api metrics v2 assets attachments avatar avatars repo-avatars captcha login org repo user explore issues pulls milestones notifications favicon.ico manifest.json robots.txt sitemap.xml ssh_info swagger.v1.json ghost gitea-actions twirp -".split(
    " ",
  ),
);
const reservedAccountSuffixes = [".keys", ".gpg", ".rss", ".atom", ".png"];
const reservedRepositoryNames = new Set([".", "..", "-"]);
const reservedRepositorySuffixes = [".git", ".wiki", ".rss", ".atom"];

/** The wire's error message for a reserved name; undefined if the name is available. */
export function reservedAccountName(name: string): string | undefined {
  const folded = foldName(name);
  if (reservedAccountNames.has(folded)) return `name is reserved [name: ${name}]`;
  const suffix = reservedAccountSuffixes.find((ending) => folded.endsWith(ending));
  return suffix === undefined ? undefined : `name pattern is not allowed [pattern: *${suffix}]`;
}

/** As {@link reservedAccountName}, for repositories. Two dots in a row are also rejected, because they resemble a parent directory. */
export function reservedRepositoryName(name: string): string | undefined {
  const folded = foldName(name);
  if (reservedRepositoryNames.has(folded) || folded.includes("..")) return `name is reserved [name: ${name}]`;
  const suffix = reservedRepositorySuffixes.find((ending) => folded.endsWith(ending));
  return suffix === undefined ? undefined : `name pattern is not allowed [pattern: *${suffix}]`;
}
