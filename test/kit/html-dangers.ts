import { type DefaultTreeAdapterTypes, parseFragment, serialize } from "parse5";

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

/** Elements and attributes allowed in rendered text. Anything else is a danger, whether or not a browser is known to execute it. */
const elements = new Set(
  `a abbr b bdi bdo blockquote br caption center cite code col colgroup dd del details dfn div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img input
  ins kbd li mark ol p picture pre q rb rp rt ruby s samp small source span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var
  video wbr`.split(/\s+/),
);
const addresses = new Set(["href", "src", "srcset"]);
const attributes = new Set([
  ...addresses,
  ...`abbr align alt aria-hidden aria-label border cellpadding cellspacing checked class colspan controls data-line-number data-markdown-generated-content
  data-source-position datetime dir disabled headers height hreflang id itemprop lang loading loop media muted name open playsinline rel reversed rowspan
  scope span start style target title type valign value width`.split(/\s+/),
]);
const schemes = /^(?:https?|mailto|ftps?|sftp|ssh|git|svn|ircs?|xmpp|matrix|tel|sms|magnet|news|nntp|gemini|gopher|geo|doi):/i;
const ownIds = /^(?:user-content-|fn(?:ref)?\d*:user-content-)/;

/**
 * All disallowed parts of rendered HTML, as sentences; empty if it is safe. The HTML is parsed like in a browser, serialized, and parsed
 * again.
 */
export function htmlDangers(html: string): string[] {
  const parsed = parseFragment(html);
  const again = parseFragment(serialize(parsed));
  return [...new Set([...dangersOf(parsed.childNodes), ...dangersOf(again.childNodes)])];
}

function dangersOf(nodes: readonly Node[]): string[] {
  return nodes.flatMap((node) => {
    if (node.nodeName === "#text") return [];
    if (!("tagName" in node)) return [`a node ${node.nodeName}`];
    return [...dangersOfElement(node), ...dangersOf(node.childNodes)];
  });
}

function dangersOfElement(element: Element): string[] {
  const { tagName } = element;
  const found = elements.has(tagName) ? [] : [`an element ${tagName}`];
  for (const { name, value } of element.attrs) {
    if (!attributes.has(name)) found.push(`an attribute ${tagName} ${name}`);
    if (addresses.has(name)) for (const address of name === "srcset" ? value.split(/,\s/) : [value]) found.push(...dangersOfAddress(tagName, name, address));
    if ((name === "id" || name === "name") && !ownIds.test(value)) found.push(`a foreign ${name} ${value}`);
    if (name === "style" && !/^(?:(?:background-)?color:[a-z0-9#(),.%/ -]+;?)*$/i.test(value)) found.push(`a style ${value}`);
    if (name === "target" && value !== "_blank") found.push(`a target ${value}`);
    if (name === "type" && tagName === "input" && value !== "checkbox") found.push(`an input of type ${value}`);
  }
  if (tagName === "input" && !element.attrs.some(({ name }) => name === "disabled")) found.push("an input that can be changed");
  return found;
}

function dangersOfAddress(tagName: string, attribute: string, address: string): string[] {
  // Browsers ignore these characters before the scheme.
  const seen = address.replace(/[\u0000-\u0020\u007f-\u009f\u200b-\u200f\u2028\u2029\ufeff]/g, "");
  return /^[^/?#]*:/.test(seen) && !schemes.test(seen) ? [`an address ${tagName} ${attribute} ${address}`] : [];
}
