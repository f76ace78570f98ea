import type { MarkdownIt, Token } from "markdown-it";

/** Aligns cells with an attribute, because styles are sanitized. */
export function tables(md: MarkdownIt): void {
  for (const name of ["th_open", "td_open"]) {
    md.renderer.rules[name] = (tokens, index, options, _env, renderer) => {
      const token = tokens[index] as Token;
      const alignment = /^text-align:(left|center|right)$/.exec(String(token.attrGet("style") ?? ""))?.[1];
      if (alignment !== undefined) token.attrs = [["align", alignment]];
      return renderer.renderToken(tokens, index, options);
    };
  }
}
