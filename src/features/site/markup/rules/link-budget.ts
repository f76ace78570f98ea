import type { MarkdownIt, Token } from "markdown-it";

/** Addresses and titles of a text, in characters, beyond as many as the text itself has. */
const spare = 100_000;
const attributes = ["href", "src", "title"];

/** A definition can be referred to by three characters, so a long one makes much of little: what goes over the budget leads nowhere. */
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
