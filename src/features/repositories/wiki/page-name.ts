import { type ForgeError, malformed } from "../../../core/errors.ts";
import { isDotGit, isWritablePath } from "../../../git/objects/path-rules.ts";

/**
 * A page of a wiki has three names that follow from each other. The title is for people: `Home Page`, `2026-01-02 notes`. The slug stands in
 * addresses: `Home-Page`, `2026-01-02+notes.-`. The file is the slug with blanks and an ending: `Home-Page.md`, `2026-01-02 notes.-.md`.
 * A dash of a slug is a blank of the title, but where the slug ends in the mark below: there every dash is one.
 */
export interface PageName {
  readonly title: string;
  readonly slug: string;
  readonly file: string;
}

const dashMark = ".-";
const fileEnding = ".md";

/** As in the query of an address: a blank is a plus sign. */
const encodeWords = (text: string): string =>
  encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%20", "+");

/** What is no escape stays as it is: files come from pushes, too. */
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

/** The names of the page that a file is; undefined for a file that is none. */
export function nameOfFile(file: string): PageName | undefined {
  if (!file.endsWith(fileEnding) || file === fileEnding) return undefined;
  const slug = encodeWords(decodeWords(file.slice(0, -fileEnding.length)));
  return { title: titleOfSlug(slug), slug, file };
}

/** What an address can call a page: its slug, as it is or decoded, or its title. */
export const isCalled = ({ title, slug }: PageName, called: string): boolean => slug === called || decodeWords(slug) === called || title === called;

/** Paths of the pages about pages. */
const reserved = new Set(["_pages", "_new", "_edit", "raw"]);

const refuse = (reason: string): ForgeError => malformed(`wiki page title cannot be used: ${reason}`);

/** The names of a new page. @throws ForgeError `malformed` for a title that no page can have */
export function nameOfTitle(given: string): PageName {
  const title = given.trim();
  if (title === "") throw refuse("it is empty");
  if (/[\x00-\x1f\x7f]/.test(title)) throw refuse("it holds control characters");
  if (title.split(/[/\\]/).some((part) => part === "." || part === ".." || isDotGit(part))) throw refuse("it reads like a path");
  if (reserved.has(title)) throw refuse("it is reserved");
  const slug = slugOfTitle(title);
  const file = slug.replaceAll("+", " ") + fileEnding;
  if (!isWritablePath(file, "100644")) throw refuse("it is too long");
  return { title, slug, file };
}

/** Shown beside and below every page. */
export const sidebarFile = "_Sidebar.md";
export const footerFile = "_Footer.md";
