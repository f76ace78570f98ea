import type { MarkdownIt, Token } from "markdown-it";

/** Links an image to itself unless it is inside a link. */
export function images(md: MarkdownIt): void {
  const { image } = md.renderer.rules;
  if (image === undefined) throw new Error("the parser does not render images");
  md.core.ruler.push("linked_images", ({ tokens }) => {
    for (const { children } of tokens) {
      let depth = 0;
      for (const token of children ?? []) {
        if (token.type === "link_open") depth++;
        else if (token.type === "link_close") depth--;
        else if (token.type === "image" && depth > 0) token.meta = { isLinked: true };
      }
    }
  });
  md.renderer.rules.image = (tokens, index, options, env, renderer) => {
    const token = tokens[index] as Token;
    token.attrSet("loading", "lazy");
    const picture = image(tokens, index, options, env, renderer);
    if ((token.meta as { isLinked: boolean } | null)?.isLinked) return picture;
    return `<a href="${md.utils.escapeHtml(String(token.attrGet("src") ?? ""))}" target="_blank">${picture}</a>`;
  };
}
