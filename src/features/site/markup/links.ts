import type { RenderContext } from "./context.ts";
import { canRender } from "./file-kinds.ts";

/** Allowed schemes of links. Schemes that run scripts or embed documents are not among them. */
export const linkSchemes: readonly string[] = [
  "http",
  "https",
  "mailto",
  "ftp",
  "ftps",
  "sftp",
  "ssh",
  "git",
  "svn",
  "irc",
  "ircs",
  "xmpp",
  "matrix",
  "tel",
  "sms",
  "magnet",
  "news",
  "nntp",
  "gemini",
  "gopher",
  "geo",
  "doi",
];
const mediaSchemes: readonly string[] = ["http", "https"];

/** `page` is a link, `media` is embedded. */
export type LinkUse = "page" | "media";

/** Ids that the renderer generates for footnotes. All other ids of a text get a prefix. */
const footnoteId = /^fn(?:ref)?\d*:user-content-/;
const idPrefix = "user-content-";

export const prefixId = (id: string): string => (id.startsWith(idPrefix) || footnoteId.test(id) ? id : `${idPrefix}${id}`);

/** The resolved address of a link or image. @returns undefined for a forbidden one */
export function resolveAddress(address: string, use: LinkUse, context: RenderContext): string | undefined {
  // Browsers ignore these characters, so they could hide a scheme.
  const target = address.replace(/[\t\n\r]/g, "").replace(/^[\u0000-\u0020]+|[\u0000-\u0020]+$/g, "");
  if (target === "") return undefined;
  // Everything before a colon counts as a scheme, even if it is not a valid one.
  const scheme = /^([^/?#]*):/.exec(target)?.[1]?.toLowerCase();
  if (scheme !== undefined) return (use === "page" ? linkSchemes : mediaSchemes).includes(scheme) ? target : undefined;
  if (/^[\\/]{2}/.test(target)) return target;
  if (target.startsWith("#")) return use === "media" ? undefined : target.length === 1 ? "#" : `#${prefixId(target.slice(1))}`;
  if (context.kind === "raw") return target;
  return context.isPage ? pageAddress(target, use, context) : relativeAddress(target, use, context);
}

/**
 * As on GitHub. In its addresses a revision is two segments (`blob/main`), so `../../issues` in the root leads to the issues. A fragment in the
 * address of another text is the name of a heading. Relative addresses in comments refer to the default branch, and `../wiki` to the wiki.
 */
function pageAddress(target: string, use: LinkUse, context: RenderContext): string {
  const [, path = "", query = "", fragment = ""] = /^([^?#]*)(\?[^#]*)?(#[\s\S]*)?$/.exec(target) ?? [];
  const isHeading = use === "page" && (context.kind === "wiki" || canRender(path)) && fragment.length > 1 && !/^#L\d+(?:-L\d+)?$/.test(fragment);
  const rest = query + (isHeading ? `#${prefixId(fragment.slice(1))}` : fragment);
  const isInTree = context.repository !== undefined && !path.startsWith("/") && (context.kind === "document" || context.kind === "comment");
  if (!isInTree) return relativeAddress(path + rest, use, context);
  const { owner, name } = context.repository;
  const segments = segmentsOf(context.folder);
  let above = 0;
  for (const part of path.split(/[\\/]/)) {
    if (part === "..") above += segments.pop() === undefined ? 1 : 0;
    else if (part !== ".") segments.push(part);
  }
  const base = above === 0 ? treeOf(use, context) : [owner, name, "src"].slice(0, Math.max(0, (context.kind === "comment" ? 3 : 4) - above));
  return addressOf(context, [...base, ...segments], rest);
}

const addressOf = ({ origin }: RenderContext, segments: readonly string[], rest: string): string =>
  `${origin}/${segments.map(encodeOnce).join("/")}${encodeRest(rest)}`;

function relativeAddress(target: string, use: LinkUse, context: RenderContext): string {
  const [, path = "", rest = ""] = /^([^?#]*)([\s\S]*)$/.exec(target) ?? [];
  const base = path.startsWith("/") ? rootOf(use, context) : folderOf(use, context);
  const segments = [...base];
  const isAbsolute = path.startsWith("/");
  const parts = path.split(/[\\/]/);
  for (const part of isAbsolute ? parts.slice(1) : parts) {
    if (part === "..") segments.pop();
    else if (part !== ".") segments.push(part);
  }
  if (path === "") segments.splice(base.length);
  return addressOf(context, segments, rest);
}

/** The base of an address with a leading slash: the tree for a document, otherwise the server. */
function rootOf(use: LinkUse, context: RenderContext): readonly string[] {
  return context.kind === "document" && context.repository !== undefined ? treeOf(use, context) : [];
}

function folderOf(use: LinkUse, context: RenderContext): readonly string[] {
  const { kind, repository } = context;
  if (repository === undefined) return [];
  if (kind === "document") return [...treeOf(use, context), ...segmentsOf(context.folder)];
  const place = [repository.owner, repository.name];
  return kind === "wiki" ? [...place, ...(use === "media" ? ["wiki", "raw"] : ["wiki"])] : place;
}

function treeOf(use: LinkUse, { repository, ref }: RenderContext): readonly string[] {
  if (repository === undefined) return [];
  return [repository.owner, repository.name, use === "media" ? "media" : "src", ...segmentsOf(ref)];
}

const segmentsOf = (path: string): string[] => path.split("/").filter((segment) => segment !== "");

/** Percent-encodes characters that a path segment cannot contain, without encoding twice. */
const encodeOnce = (segment: string): string => encode(segment, /[^A-Za-z0-9\-._~!$&'()*+,;=:@%]|%(?![0-9A-Fa-f]{2})/gu);
const encodeRest = (rest: string): string => encode(rest, /[^A-Za-z0-9\-._~!$&'()*+,;=:@%/?#]|%(?![0-9A-Fa-f]{2})/gu);
const encode = (text: string, unsafe: RegExp): string => text.toWellFormed().replace(unsafe, (character) => encodeURIComponent(character));
