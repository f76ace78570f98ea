/** An XML element; its name includes the prefix. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (XmlElement | string)[];
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const unspeakable = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/**
 * A strict parser for the subset of XML 1.0 used by feeds: elements, attributes in double quotes, text.
 * @throws Error for a document that is not well-formed
 */
export function readXml(text: string): XmlElement {
  if (unspeakable.test(text)) throw new Error("a character that XML cannot hold");
  const open: { name: string; attributes: Record<string, string>; children: (XmlElement | string)[] }[] = [{ name: "", attributes: {}, children: [] }];
  const tokens = /<\?xml [^?]*\?>|<\/([\w:.-]+)\s*>|<([\w:.-]+)((?:\s+[\w:.-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/gy;
  let at = 0;
  for (const [token, closes, opens, attributes = "", isEmpty, words] of text.matchAll(tokens)) {
    at += token.length;
    const current = open.at(-1);
    if (words !== undefined) current?.children.push(unescapeText(words));
    else if (closes !== undefined) {
      if (open.length < 2 || current?.name !== closes) throw new Error(`</${closes}> closes <${current?.name}>`);
      open.pop();
    } else if (opens !== undefined) {
      const pairs = [...attributes.matchAll(/([\w:.-]+)="([^"]*)"/g)].map(([, name = "", value = ""]) => [name, unescapeText(value)] as const);
      if (new Set(pairs.map(([name]) => name)).size < pairs.length) throw new Error(`an attribute of <${opens}> is there twice`);
      const element = { name: opens, attributes: Object.fromEntries(pairs), children: [] };
      current?.children.push(element);
      if (isEmpty === "") open.push(element);
    }
  }
  if (at < text.length) throw new Error(`no XML at ${at}: ${text.slice(at, at + 60)}`);
  const [document] = open;
  const [root, ...others] = document?.children.filter((child) => typeof child !== "string") ?? [];
  if (open.length > 1 || root === undefined || others.length > 0) throw new Error(`not one element that is closed: ${open.map(({ name }) => name).join(" ")}`);
  return root;
}

function unescapeText(text: string): string {
  return text.replace(/&(#x[0-9a-f]+|#\d+|\w+);|&/gi, (whole, name: string | undefined) => {
    const number = /^#(?:x([0-9a-f]+)|(\d+))$/i.exec(name ?? "");
    if (number !== null) return String.fromCodePoint(number[1] === undefined ? Number(number[2]) : Number.parseInt(number[1], 16));
    const character = entities[name ?? ""];
    if (character === undefined) throw new Error(`no entity: ${whole}`);
    return character;
  });
}

const textOf = (node: XmlElement | string): string => (typeof node === "string" ? node : node.children.map(textOf).join(""));

/** The texts of all elements with this name, in order. */
export function textsOf(element: XmlElement, name: string): string[] {
  const own = element.name === name ? [textOf(element)] : [];
  return [...own, ...element.children.flatMap((child) => (typeof child === "string" ? [] : textsOf(child, name)))];
}
