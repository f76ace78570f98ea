/**
 * Removes resources on other hosts from rendered text, so that other hosts do not learn who reads a page. An image is replaced by
 * its alt text with the address as tooltip.
 * @param html from `Markup`, where text and attributes contain no `<` or `>`
 * @param origin of this server
 */
export const withoutForeignMedia = (html: string, origin: string): string =>
  html.replace(/<(img|video|audio|source)\b([^>]*)>/g, (tag, name: string, attributes: string) => {
    const addresses = [...attributes.matchAll(/\s(?:src|srcset|poster)="([^"]*)"/g)].map(([, address = ""]) => address);
    if (addresses.every((address) => isOwn(address, origin))) return tag;
    if (name !== "img") return `<${name}>`;
    const alt = /\salt="([^"]*)"/.exec(attributes)?.[1] ?? "";
    const address = addresses[0] ?? "";
    return `<span class="badge" title="${address}">${alt === "" ? address : alt}</span>`;
  });

const isOwn = (address: string, origin: string): boolean => address.startsWith(`${origin}/`) || /^\/(?![/\\])/.test(address);
