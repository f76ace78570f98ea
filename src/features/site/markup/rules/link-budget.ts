import type { MarkdownIt, Token } from "markdown-it";

/** Characters of addresses and titles beyond the length of the text itself. */
const spare = 100_000;
const attributes = ["href", "src", "title"];

/** A link definition is used with three characters, so a long one could multiply the output. Links over the budget have no target. */
export function linkBudget(md: MarkdownIt): void {
  md.core.ruler.after("inline", "link_budget", ({ src, tokens }) => {
    let left = src.length + spare;
    for (const { children } of tokens) {
      for (const token of children ?? []) {
        if (token.attrs === null) continue;
        left -= lengthOf(token);
        if (left < 0) token.attrs = token.attrs.filter(([name]) => !attributes.includes(name));
      }
    }
  });
}

const lengthOf = ({ attrs }: Token): number => (attrs ?? []).reduce((sum, [name, value]) => sum + (attributes.includes(name) ? String(value).length : 0), 0);
