import { type ForgeError, malformed } from "../../../core/errors.ts";
import { isDotGit, isWritablePath } from "../../../git/objects/path-rules.ts";

/**
 * The three names of a wiki page can be derived from each other. The title is for readers: `Home Page`, `2026-01-02 notes`. The slug is used in
 * URLs: `Home-Page`, `2026-01-02+notes.-`. The file is the slug with spaces and an extension: `Home-Page.md`, `2026-01-02 notes.-.md`.
 * A dash in a slug is a space in the title, unless the slug ends in the mark below: then every dash is literal.
 */
export interface PageName {
  readonly title: string;
  readonly slug: string;
  readonly file: string;
}

const dashMark = ".-";
const fileEnding = ".md";

/** Encodes as in a query string: a space becomes a plus sign. */
const encodeWords = (text: string): string =>
  encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%20", "+");

/** Invalid escapes are kept, because files can come from pushes. */
function decodeWords(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function slugOfTitle(title: string): string {
  const isLiteral = title.includes("-") || title.endsWith(fileEnding);
  return isLiteral ? encodeWords(title) + dashMark : encodeWords(title.replaceAll(" ", "-"));
}

export function titleOfSlug(slug: string): string {
  const text = slug.endsWith(dashMark) ? slug.slice(0, -dashMark.length) : slug.replaceAll("-", " ");
  return decodeWords(text.replaceAll("+", " "));
}

/** The names of the page in a file; undefined if the file is not a page. */
export function nameOfFile(file: string): PageName | undefined {
  if (!file.endsWith(fileEnding) || file === fileEnding) return undefined;
  const slug = encodeWords(decodeWords(file.slice(0, -fileEnding.length)));
  return { title: titleOfSlug(slug), slug, file };
}

/** Whether a URL segment names a page: by its slug, encoded or decoded, or by its title. */
export const isCalled = ({ title, slug }: PageName, called: string): boolean => slug === called || decodeWords(slug) === called || title === called;

/** URL segments with a special meaning. */
const reserved = new Set(["_pages", "_new", "_edit", "raw"]);

const refuse = (reason: string): ForgeError => malformed(`wiki page title cannot be used: ${reason}`);

/** The names of a new page. @throws ForgeError `malformed` for an invalid title */
export function nameOfTitle(given: string): PageName {
  const title = given.trim();
  if (title === "") throw refuse("it is empty");
  if (/[\x00-\x1f\x7f]/.test(title)) throw refuse("it contains control characters");
  if (title.split(/[/\\]/).some((part) => part === "." || part === ".." || isDotGit(part))) throw refuse("it looks like a path");
  if (reserved.has(title)) throw refuse("it is reserved");
  const slug = slugOfTitle(title);
  const file = slug.replaceAll("+", " ") + fileEnding;
  if (!isWritablePath(file, "100644")) throw refuse("it is too long");
  return { title, slug, file };
}

/** Shown next to and below every page. */
export const sidebarFile = "_Sidebar.md";
export const footerFile = "_Footer.md";

/** Whether a page is shown as a part of all pages. */
export const isPart = ({ file }: PageName): boolean => file === sidebarFile || file === footerFile;
