import sanitizeHtml, { type Attributes, type IOptions, type Tag } from "sanitize-html";
import type { RenderContext } from "./context.ts";
import { linkSchemes, prefixId, resolveAddress } from "./links.ts";

/** Deeper elements lose their tags and keep their text. */
const maxDepth = 100;

const allowedTags = [
  ...["h1", "h2", "h3", "h4", "h5", "h6", "p", "div", "blockquote", "pre", "hr", "br", "wbr", "center"],
  ...["ul", "ol", "li", "dl", "dt", "dd", "details", "summary", "figure", "figcaption"],
  ...["table", "caption", "colgroup", "col", "thead", "tbody", "tfoot", "tr", "th", "td"],
  ...["a", "abbr", "b", "bdi", "bdo", "cite", "code", "del", "dfn", "em", "i", "ins", "kbd", "mark", "q", "s", "samp", "small", "span"],
  ...["strike", "strong", "sub", "sup", "time", "tt", "u", "var", "ruby", "rb", "rt", "rp"],
  ...["img", "picture", "source", "video", "input"],
];

const anywhere = ["align", "aria-hidden", "aria-label", "dir", "id", "lang", "title", "valign", "width", "height", "style", "itemprop"];

const allowedAttributes: IOptions["allowedAttributes"] = {
  "*": anywhere,
  a: ["href", "name", "rel", "target", "hreflang", "data-markdown-generated-content"],
  abbr: ["title"],
  col: ["span"],
  del: ["datetime"],
  details: ["open"],
  img: ["src", "srcset", "alt", "loading", "border"],
  input: ["type", "checked", "disabled", "data-source-position"],
  ins: ["datetime"],
  li: ["value"],
  ol: ["start", "reversed", "type"],
  source: ["src", "srcset", "media", "type"],
  table: ["border", "cellpadding", "cellspacing"],
  td: ["abbr", "colspan", "headers", "rowspan"],
  th: ["abbr", "colspan", "headers", "rowspan", "scope"],
  time: ["datetime"],
  ul: ["type"],
  video: ["src", "controls", "loop", "muted", "playsinline"],
};

/** The classes that the renderer sets. A text cannot set classes that a page's script uses. */
const allowedClasses: IOptions["allowedClasses"] = {
  a: ["ref-issue"],
  blockquote: ["attention-header", /^attention-(?:note|tip|important|warning|caution)$/],
  code: ["chroma", "display", /^language-[\w+#.-]{1,40}$/],
  div: ["code-block-container", "code-overflow-scroll"],
  li: ["task-list-item"],
  pre: ["code-block", "is-loading"],
  span: ["emoji", /^hljs-[\w-]{1,40}$/, "function_", "class_", "inherited__", "invoke__", "constant_", "language_", "escape_", "prompt_"],
  strong: [/^attention-(?:note|tip|important|warning|caution)$/],
  table: ["data-table"],
  td: ["line-num"],
  th: ["line-num"],
};

const color = [/^#[0-9a-f]{3,8}$/i, /^[a-z]{3,20}$/i, /^(?:rgb|hsl)a?\([\d\s.,%/deg-]{1,60}\)$/i];
/** For `*`, because an element without a rule keeps all of its styles. */
const allowedStyles: IOptions["allowedStyles"] = { "*": { color, "background-color": color } };

/** An element renamed to this loses its tag and keeps its content. */
const dropped: Tag = { tagName: "dropped", attribs: {} };

/** Sanitizes HTML from any source and resolves its addresses in a context. */
export function sanitize(html: string, context: RenderContext): string {
  const safe = sanitizeHtml(html, {
    allowedTags,
    allowedAttributes,
    allowedClasses,
    allowedStyles,
    allowedSchemes: [...linkSchemes],
    allowedSchemesAppliedToAttributes: ["href", "src", "srcset"],
    selfClosing: ["img", "br", "hr", "wbr", "input", "source", "col"],
    nonTextTags: ["script", "style", "textarea", "option", "xmp", "noscript", "noembed", "noframes", "title", "template", "iframe"],
    nestingLimit: maxDepth,
    enforceHtmlBoundary: false,
    transformTags: {
      "*": (tagName, attribs) => ({ tagName, attribs: withIds(attribs) }),
      a: (tagName, attribs) => anchor(tagName, attribs, context),
      img: (tagName, attribs) => media(tagName, attribs, context),
      source: (tagName, attribs) => media(tagName, attribs, context),
      video: (tagName, attribs) => media(tagName, { ...attribs, controls: "" }, context),
      input: (tagName, attribs) =>
        attribs.type?.toLowerCase() === "checkbox" ? { tagName, attribs: { ...attribs, type: "checkbox", disabled: "" } } : dropped,
    },
  });
  // @compat `<br>` in plain Markdown, `<br />` elsewhere (render.test.ts). Only tags contain this: `>` is escaped in texts and attributes.
  return context.kind === "raw" ? safe.replaceAll(" />", ">") : safe;
}

/** Prefixes ids, so that none can collide with an id of the page. */
function withIds(attribs: Attributes): Attributes {
  if (attribs.id === undefined && attribs.name === undefined) return attribs;
  const result = { ...attribs };
  for (const name of ["id", "name"]) {
    const value = result[name];
    if (value !== undefined) result[name] = prefixId(value.slice(0, 300));
  }
  return result;
}

function anchor(tagName: string, { href, target, rel: _rel, ...attribs }: Attributes, context: RenderContext): Tag {
  const address = href === undefined ? undefined : resolveAddress(href, "page", context);
  if (address === undefined) return attribs.id === undefined && attribs.name === undefined ? dropped : { tagName, attribs };
  const isBlank = target?.toLowerCase() === "_blank";
  return { tagName, attribs: { ...attribs, href: address, rel: isBlank ? "nofollow noopener" : "nofollow", ...(isBlank && { target: "_blank" }) } };
}

function media(tagName: string, { src, srcset, ...attribs }: Attributes, context: RenderContext): Tag {
  const result: Attributes = attribs;
  const address = src === undefined ? undefined : resolveAddress(src, "media", context);
  if (address !== undefined) result.src = address;
  const candidates = srcset === undefined ? "" : resolveCandidates(srcset, context);
  if (candidates !== "") result.srcset = candidates;
  if (tagName === "img" && context.kind !== "raw") result.loading = "lazy";
  return result.src === undefined && result.srcset === undefined ? dropped : { tagName, attribs: result };
}

/** `a.png 1x, b.png 2x`. Addresses with a comma are dropped. */
function resolveCandidates(srcset: string, context: RenderContext): string {
  const candidates = srcset.split(",").flatMap((candidate) => {
    const [address = "", descriptor = ""] = candidate.trim().split(/\s+/);
    const resolved = address === "" || !/^(?:\d{1,6}(?:\.\d{1,4})?[wx])?$/.test(descriptor) ? undefined : resolveAddress(address, "media", context);
    return resolved === undefined || resolved.includes(",") ? [] : [`${resolved} ${descriptor}`.trim()];
  });
  return candidates.join(", ");
}
