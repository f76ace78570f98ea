/**
 * Takes out of rendered text what a browser would fetch from other hosts: pages ask nobody else, so that nobody else learns who reads them.
 * A picture leaves the words that stand for it, with its address for whoever rests on them.
 * @param html as `Markup` gives it, where `<` and `>` stand in no text and no attribute
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
