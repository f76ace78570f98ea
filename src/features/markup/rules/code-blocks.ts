import type { MarkdownIt, Token } from "markdown-it";
import { renderingOf } from "../environment.ts";
import { escapeHtml } from "../escape.ts";

/** Languages that the page draws instead of showing their source. */
const drawn = new Set(["mermaid", "math"]);

/** The language that a fence names, `text` for none; a name that cannot be a class counts as none. */
export function fenceLanguage(token: Token): string {
  const [name = ""] = token.info.trim().split(/[\s,{]/, 1);
  return /^[\w+#.-]{1,40}$/.test(name) ? name : "text";
}

/** Fenced code is coloured by its language; indented code is shown as it is. */
export function codeBlocks(md: MarkdownIt): void {
  md.renderer.rules.fence = (tokens, index, _options, env) => {
    const token = tokens[index] as Token;
    const language = fenceLanguage(token);
    const code = renderingOf(env).highlight(token.content, language) ?? escapeHtml(token.content);
    const classes = drawn.has(language) ? "code-block is-loading" : "code-block";
    // @compat the classes are those that stylesheets of clients look for.
    return `<div class="code-block-container code-overflow-scroll"><pre class="${classes}"><code class="chroma language-${language} display">${code}</code></pre></div>\n`;
  };
}
