import { escapeHtml, unescapeHtml } from "../../../core/escape-html.ts";

export interface MediaOptions {
  /** The root address of this server. */
  readonly origin: string;
  /** The path of this server that loads an image of another host; undefined for one that is not loaded. */
  readonly pathOfImage: (address: string) => string | undefined;
}

/** Further images of a text are shown as text. */
const maxImages = 500;

/**
 * Replaces resources on other hosts in a rendered text, so that other hosts do not learn who reads a page. An image is loaded through this
 * server, or replaced by its alt text with the address as tooltip.
 * @returns a function for the pieces of the text: sanitized HTML, where text and attributes contain no `<` or `>`
 */
export function withOwnMedia(options: MediaOptions): (html: string) => string {
  let images = 0;
  return (html) =>
    html.replace(/<(img|video|audio|source)\b([^>]*)>/g, (tag, name: string, attributes: string) => {
      const addresses = [...attributes.matchAll(/\s(?:src|srcset|poster)="([^"]*)"/g)].map(([, address = ""]) => address);
      if (addresses.every((address) => isOwn(address, options.origin))) return tag;
      const isPicture = name === "img" || (name === "source" && !/\ssrc="/.test(attributes));
      if (isPicture) images += 1;
      const own = isPicture && images <= maxImages ? withOwnAddresses(tag, options) : undefined;
      if (own !== undefined) return own;
      if (name !== "img") return `<${name}>`;
      const alt = /\salt="([^"]*)"/.exec(attributes)?.[1] ?? "";
      const address = addresses[0] ?? "";
      return `<span class="badge" title="${address}">${alt === "" ? address : alt}</span>`;
    });
}

/** The element with addresses of this server; undefined if one of its images is not loaded. */
function withOwnAddresses(tag: string, { origin, pathOfImage }: MediaOptions): string | undefined {
  let isWhole = true;
  const ownAddress = (address: string): string => {
    if (isOwn(address, origin)) return address;
    const path = pathOfImage(unescapeHtml(address).replace(/^[\\/]{2}/, "https://"));
    if (path === undefined) isWhole = false;
    return escapeHtml(`${origin}${path}`);
  };
  const own = tag
    .replace(/\ssrc="([^"]*)"/, (_, address: string) => ` src="${ownAddress(address)}"`)
    // Addresses of candidates contain no commas and blanks (`sanitize.ts`).
    .replace(/\ssrcset="([^"]*)"/, (_, candidates: string) => ` srcset="${candidates.replace(/(?<=^|, )[^ ,]+/g, ownAddress)}"`);
  return isWhole ? own : undefined;
}

const isOwn = (address: string, origin: string): boolean => address.startsWith(`${origin}/`) || /^\/(?![/\\])/.test(address);
