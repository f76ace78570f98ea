import { type DefaultTreeAdapterTypes, parse } from "parse5";

type Element = DefaultTreeAdapterTypes.Element;
type Node = DefaultTreeAdapterTypes.Node;

export interface ReadPage {
  readonly title: string;
  readonly language: string | undefined;
  readonly headings: readonly string[];
  /** Targets of its links, as written. */
  readonly links: readonly string[];
  /** Its text, with whitespace collapsed. */
  readonly text: string;
  /** Forbidden content of pages: inline scripts, styles and handlers, media from other hosts, frames. */
  readonly dangers: readonly string[];
}

/** Parses a page like a browser. */
export function readPage(html: string): ReadPage {
  const all = elementsOf(parse(html));
  const of = (name: string): Element[] => all.filter(({ tagName }) => tagName === name);
  const [body] = of("body");
  return {
    title: textOf(of("title")[0]),
    language: attributeOf(of("html")[0], "lang"),
    headings: of("h1").map(textOf),
    links: of("a").flatMap((element) => attributeOf(element, "href") ?? []),
    text: textOf(body),
    dangers: all.flatMap(dangersOf),
  };
}

const forbidden = new Set(["script", "style", "iframe", "object", "embed", "base", "frame", "applet", "template"]);

/** The one script of all pages, by URL and without inline content. */
const isOwnScript = (element: Element): boolean =>
  element.childNodes.length === 0 &&
  element.attrs.length === 2 &&
  /^\/assets\/scripts-[0-9a-f]{16}\/main-(?:en|de)\.js$/.test(attributeOf(element, "src") ?? "");

function dangersOf(element: Element): string[] {
  const { tagName } = element;
  if (tagName === "script" && isOwnScript(element)) return [];
  if (forbidden.has(tagName)) return [`an element ${tagName}`];
  return element.attrs.flatMap(({ name, value }) => {
    if (name.startsWith("on") || name === "style") return [`${tagName} with ${name}`];
    if (["src", "srcset", "poster"].includes(name) && !/^(?:\/(?![/\\])|http:\/\/127\.0\.0\.1:)/.test(value)) return [`${tagName} from ${value}`];
    if (["href", "action"].includes(name) && /^\s*(?:javascript|data|vbscript):/i.test(value)) return [`${tagName} to ${value}`];
    return [];
  });
}

/** The elements below a node, in the order of the document. */
function elementsOf(node: Node, found: Element[] = []): readonly Element[] {
  for (const child of "childNodes" in node ? node.childNodes : []) {
    if (!("tagName" in child)) continue;
    found.push(child);
    elementsOf(child, found);
  }
  return found;
}
const attributeOf = (element: Element | undefined, name: string): string | undefined => element?.attrs.find((one) => one.name === name)?.value;
const inline = new Set(["a", "b", "code", "em", "i", "mark", "span", "strong"]);
function rawTextOf(node: Node): string {
  if ("value" in node) return node.value;
  const text = "childNodes" in node ? node.childNodes.map(rawTextOf).join("") : "";
  return "tagName" in node && inline.has(node.tagName) ? text : ` ${text} `;
}
const textOf = (node: Node | undefined): string => (node === undefined ? "" : rawTextOf(node).replace(/\s+/g, " ").trim());

/**
 * A page without the parts that differ between requests: the request id of an error page, which is random with a fixed length, and
 * relative times.
 */
export const timeless = (html: string): string =>
  html
    .replace(/<code>[0-9a-f]{12}<\/code>/, "<code>REQUEST</code>")
    .replace(/>(just now|\d+ seconds? ago)</g, ">AGO<")
    .replace(/name="_csrf" value="[^"]*"/g, 'name="_csrf" value="MASKED"');
