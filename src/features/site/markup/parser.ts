import MarkdownIt, { type MarkdownIt as Parser } from "markdown-it";
import definitionLists from "markdown-it-deflist";
import type { RenderKind } from "./context.ts";
import { alerts } from "./rules/alerts.ts";
import { codeBlocks } from "./rules/code-blocks.ts";
import { direction } from "./rules/direction.ts";
import { footnotes } from "./rules/footnotes.ts";
import { headings } from "./rules/headings.ts";
import { images } from "./rules/images.ts";
import { inlineText } from "./rules/inline-text.ts";
import { linkBudget } from "./rules/link-budget.ts";
import { math } from "./rules/math.ts";
import { strikethrough } from "./rules/strikethrough.ts";
import { tables } from "./rules/tables.ts";
import { taskList } from "./rules/task-list.ts";
import { wikiLink } from "./rules/wiki-link.ts";

/** Longer addresses do not become links. */
const maxAddressLength = 2_000;

const parsers = new Map<RenderKind, Parser>();

/** The parser for a kind of text: GitHub Flavored Markdown with definition lists, footnotes, formulas and wiki links. */
export function parserFor(kind: RenderKind): Parser {
  let parser = parsers.get(kind);
  if (parser === undefined) {
    parser = createParser(kind);
    parsers.set(kind, parser);
  }
  return parser;
}

function createParser(kind: RenderKind): Parser {
  const md = new MarkdownIt({ html: true, xhtmlOut: true, breaks: kind === "comment", linkify: kind !== "raw" });
  // Addresses are checked after parsing, by the sanitizer, together with those of raw HTML.
  md.validateLink = () => true;
  md.use(definitionLists);
  for (const rule of [linkBudget, footnotes, strikethrough, math, tables, codeBlocks, taskList, alerts, direction]) rule(md);
  if (kind === "raw") return md;
  for (const rule of [wikiLink, inlineText, headings, images]) rule(md);
  linkAddresses(md);
  return md;
}

/** Links addresses in text: those with a scheme, with `www.`, and email addresses. */
function linkAddresses(md: Parser): void {
  const { linkify } = md;
  linkify.set({ fuzzyLink: false, fuzzyEmail: true, maxLength: maxAddressLength });
  linkify.add("www.", {
    validate: (text, at, self) => {
      const rest = self.re.get_relative_proto_validator();
      rest.lastIndex = at;
      return rest.exec(text)?.[0].length ?? 0;
    },
    normalize: (match) => {
      match.url = `http://${match.url}`;
    },
  });
  md.core.ruler.after("linkify", "generated_links", ({ tokens }) => {
    for (const { children } of tokens) {
      for (const token of children ?? []) if (token.type === "link_open" && token.markup === "linkify") token.attrSet("data-markdown-generated-content", "");
    }
  });
}
