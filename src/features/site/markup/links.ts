import type { RenderContext } from "./context.ts";

/** Schemes that a link may have. What runs a program or carries a document in itself is not among them. */
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

/** What an address is for: `page` is followed, `media` is shown in place. */
export type LinkUse = "page" | "media";

/** Ids that the renderer makes for footnotes; all others of a text are kept apart by a prefix. */
const footnoteId = /^fn(?:ref)?\d*:user-content-/;
const idPrefix = "user-content-";

export const prefixId = (id: string): string => (id.startsWith(idPrefix) || footnoteId.test(id) ? id : `${idPrefix}${id}`);

/**
 * The address that a link or picture of a text leads to.
 * @returns undefined for one that must not be followed
 */
export function resolveAddress(address: string, use: LinkUse, context: RenderContext): string | undefined {
  // Browsers ignore these, so a scheme must not hide behind them.
  const target = address.replace(/[\t\n\r]/g, "").replace(/^[\u0000-\u0020]+|[\u0000-\u0020]+$/g, "");
  if (target === "") return undefined;
  // Whatever stands before a colon counts as the scheme, even where it could not be one.
  const scheme = /^([^/?#]*):/.exec(target)?.[1]?.toLowerCase();
  if (scheme !== undefined) return (use === "page" ? linkSchemes : mediaSchemes).includes(scheme) ? target : undefined;
  if (/^[\\/]{2}/.test(target)) return target;
  if (target.startsWith("#")) return use === "media" ? undefined : target.length === 1 ? "#" : `#${prefixId(target.slice(1))}`;
  if (context.kind === "raw") return target;
  return relativeAddress(target, use, context);
}

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
  return `${context.origin}/${segments.map(encodeOnce).join("/")}${encodeRest(rest)}`;
}

/** What a leading slash means: a document's tree; elsewhere the server. */
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

/** Percent-encodes what a path segment cannot hold, and leaves what is encoded already. */
const encodeOnce = (segment: string): string => encode(segment, /[^A-Za-z0-9\-._~!$&'()*+,;=:@%]|%(?![0-9A-Fa-f]{2})/gu);
const encodeRest = (rest: string): string => encode(rest, /[^A-Za-z0-9\-._~!$&'()*+,;=:@%/?#]|%(?![0-9A-Fa-f]{2})/gu);
const encode = (text: string, unsafe: RegExp): string => text.toWellFormed().replace(unsafe, (character) => encodeURIComponent(character));
