import { escapeHtml } from "./escape.ts";

/** Colours code, or knows no grammar of the language. */
export type Highlight = (code: string, language: string) => string | undefined;

/** Languages that the page draws instead of showing their source. */
const drawn = new Set(["mermaid", "math"]);

/** A name that can be part of a class; `text` for any other. */
export const languageName = (name: string): string => (/^[\w+#.-]{1,40}$/.test(name) ? name : "text");

/** A block of code whose language is named. */
export function codeBlock(code: string, name: string, highlight: Highlight): string {
  const language = languageName(name);
  const classes = drawn.has(language) ? "code-block is-loading" : "code-block";
  // @compat the classes are those that stylesheets of clients look for.
  return `<div class="code-block-container code-overflow-scroll"><pre class="${classes}"><code class="chroma language-${language} display">${highlight(code, language) ?? escapeHtml(code)}</code></pre></div>\n`;
}
