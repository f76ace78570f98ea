import type { MarkdownIt, Token } from "markdown-it";

/** Gives headings an id from their words for links. */
export function headings(md: MarkdownIt): void {
  md.core.ruler.push("heading_ids", (state) => {
    const used = new Map<string, number>();
    for (const [at, token] of state.tokens.entries()) {
      if (token.type !== "heading_open") continue;
      token.attrSet("id", `user-content-${unused(slugOf(state.tokens[at + 1]?.children ?? []), used)}`);
    }
  });
}

function slugOf(tokens: readonly Token[]): string {
  const words = tokens
    .map((token) => (token.type === "image" || token.type === "html_inline" ? "" : token.type === "softbreak" ? " " : token.content))
    .join("");
  const slug = words
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\s-]/gu, "")
    .replace(/\s/g, "-");
  return slug === "" ? "heading" : slug.slice(0, 200);
}

/** @param used how often each slug was requested */
function unused(slug: string, used: Map<string, number>): string {
  let number = used.get(slug) ?? 0;
  let candidate = number === 0 ? slug : `${slug}-${number}`;
  while (used.has(candidate)) {
    number++;
    candidate = `${slug}-${number}`;
  }
  used.set(slug, number + 1);
  if (candidate !== slug) used.set(candidate, 1);
  return candidate;
}
