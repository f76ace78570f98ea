import { type CodeRenderer, type Headline, renderBlocks, splitAtHeadlines } from "./blocks.ts";
import { renderInline } from "./inline.ts";

const source = /^[ \t]*#\+begin_src[ \t]+(\S+)/gim;

/** The languages of a document's code blocks. */
export const orgLanguages = (text: string): string[] => [...text.matchAll(source)].map(([, language = ""]) => language);

/** Deeper headlines use HTML's last level. */
const maxLevel = 6;

/** Renders an Org document as unsanitized HTML: table of contents, then each headline with its content. */
export function orgHtml(text: string, code: CodeRenderer): string {
  const { before, headlines } = splitAtHeadlines(text);
  const isListed = headlines.length > 0 && !before.some((line) => /^[ \t]*#\+options:.*\btoc:(?:nil|0)\b/i.test(line));
  return (isListed ? contents(headlines) : "") + renderBlocks(before, code) + sections(headlines, code);
}

/** @compat Gitea numbers the ids in the order of the headlines (org/org.test.ts) */
const idOf = (at: number): string => `headline-${at + 1}`;

function contents(headlines: readonly Headline[]): string {
  let html = "";
  const open: number[] = [];
  for (const [at, { level, title }] of headlines.entries()) {
    while (open.length > 0 && (open.at(-1) ?? 0) > level) {
      html += "</li>\n</ul>\n";
      open.pop();
    }
    if (open.at(-1) === level) html += "</li>\n";
    else {
      html += "<ul>\n";
      open.push(level);
    }
    html += `<li><a href="#${idOf(at)}">${renderInline(title)}</a>\n`;
  }
  return html + "</li>\n</ul>\n".repeat(open.length);
}

/** Nests each section in the one above its headline. */
function sections(headlines: readonly Headline[], code: CodeRenderer): string {
  let html = "";
  const open: number[] = [];
  for (const [at, { level, title, lines }] of headlines.entries()) {
    while ((open.at(-1) ?? 0) >= level) {
      html += "</div>\n";
      open.pop();
    }
    open.push(level);
    const tag = `h${Math.min(level + 1, maxLevel)}`;
    const body = renderBlocks(lines, code);
    html += `<div id="outline-container-${idOf(at)}">\n<${tag} id="${idOf(at)}">\n${renderInline(title)}\n</${tag}>\n`;
    html += body === "" ? "" : `<div id="outline-text-${idOf(at)}">\n${body}</div>\n`;
  }
  return html + "</div>\n".repeat(open.length);
}
