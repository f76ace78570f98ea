import type { MarkdownIt, StateBlock, StateInline } from "markdown-it";
import { escapeHtml } from "../../../../core/escape-html.ts";
import { renderingOf } from "../environment.ts";

const dollar = 0x24;
/** Maximum length of an inline formula, and maximum number of candidates for its end. */
const maxLength = 1_000;
const maxTries = 20;

/** Formulas: `$a+b$`, ``$`a+b`$`` and `$$a+b$$` in a line, and blocks between lines of `$$`. Pages show them as MathML (`page-texts.ts`). */
export function math(md: MarkdownIt): void {
  md.inline.ruler.after("escape", "math", inlineMath);
  md.block.ruler.after("fence", "math_block", blockMath, { alt: ["paragraph", "reference", "blockquote", "list"] });
  md.renderer.rules.math = (tokens, index, _options, env) => {
    const isDisplay = tokens[index]?.markup === "$$" && renderingOf(env).context.isPage;
    return `<code class="language-math${isDisplay ? " display" : ""}">${escapeHtml(tokens[index]?.content ?? "")}</code>`;
  };
  md.renderer.rules.math_block = (tokens, index) =>
    `<div class="code-block-container code-overflow-scroll"><pre class="code-block is-loading"><code class="language-math display">${escapeHtml(tokens[index]?.content ?? "")}</code></pre></div>\n`;
}

function inlineMath(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  if (src.charCodeAt(pos) !== dollar) return false;
  const [open, close] = fencesAt(src, pos);
  const from = pos + open.length;
  if (open === "$" && /\s/.test(src.charAt(from))) return false;
  const end = closing(src, from, close, Math.min(state.posMax, from + maxLength));
  if (end < 0) return false;
  if (!silent) {
    const token = state.push("math", "code", 0);
    token.markup = open;
    token.content = src.slice(from, end).trim();
  }
  state.pos = end + close.length;
  return true;
}

function fencesAt(src: string, pos: number): readonly [open: string, close: string] {
  const next = src.charAt(pos + 1);
  return next === "$" ? ["$$", "$$"] : next === "`" && src.charAt(pos + 2) !== "`" ? ["$`", "`$"] : ["$", "$"];
}

/** A single dollar closes a formula only after a non-space and before a non-word character, so prices are not formulas. */
function closing(src: string, from: number, fence: string, limit: number): number {
  let at = src.indexOf(fence, from);
  for (let tries = 0; tries < maxTries && at > from && at < limit; tries++) {
    const isEnd = fence === "$" ? !/[\s\\$]/.test(src.charAt(at - 1)) && !/[\w$]/.test(src.charAt(at + 1)) : src.charCodeAt(at + 2) !== dollar;
    if (isEnd && src.slice(from, at).trim() !== "") return at;
    at = src.indexOf(fence, at + 1);
  }
  return -1;
}

function blockMath(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (!isFence(state, startLine) || (state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
  let line = startLine + 1;
  while (line < endLine && !isFence(state, line)) {
    if (!state.isEmpty(line) && (state.sCount[line] ?? 0) < state.blkIndent) return false;
    line++;
  }
  if (line >= endLine) return false;
  if (silent) return true;
  const token = state.push("math_block", "code", 0);
  token.content = state.getLines(startLine + 1, line, state.blkIndent, false);
  token.map = [startLine, line + 1];
  token.block = true;
  state.line = line + 1;
  return true;
}

const isFence = (state: StateBlock, line: number): boolean =>
  state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]).trimEnd() === "$$";
