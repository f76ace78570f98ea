import { escapeHtml } from "../../../core/escape-html.ts";

/** Highlights code; undefined without a grammar for the language. */
export type Highlight = (code: string, language: string) => string | undefined;

/** Languages that the page draws instead of showing their source. */
const drawn = new Set(["mermaid", "math"]);

/** A name that is safe in a class; `text` for any other. */
export const languageName = (name: string): string => (/^[\w+#.-]{1,40}$/.test(name) ? name : "text");

/** A code block with a language. */
export function codeBlock(code: string, name: string, highlight: Highlight): string {
  const language = languageName(name);
  const classes = drawn.has(language) ? "code-block is-loading" : "code-block";
  // @compat clients' stylesheets use these classes (markup/render.test.ts)
  return `<div class="code-block-container code-overflow-scroll"><pre class="${classes}"><code class="chroma language-${language} display">${highlight(code, language) ?? escapeHtml(code)}</code></pre></div>\n`;
}
