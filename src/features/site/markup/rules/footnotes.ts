import type { MarkdownIt, Token } from "markdown-it";
import footnotePlugin from "markdown-it-footnote";
import { escapeHtml } from "../../../../core/escape-html.ts";

type FootnoteMeta = {
  readonly id: number;
  /** The number of earlier references to the same note. */
  readonly subId?: number;
  readonly label?: string;
};

const metaOf = (tokens: readonly Token[], index: number): FootnoteMeta => tokens[index]?.meta as unknown as FootnoteMeta;
/** @compat Gitea's ids of notes and references (markup/render.test.ts) */
const noteId = ({ label, id }: FootnoteMeta): string => escapeHtml(`fn:user-content-${label ?? id + 1}`);
const referenceId = ({ label, id, subId = 0 }: FootnoteMeta): string => escapeHtml(`fnref${subId === 0 ? "" : subId}:user-content-${label ?? id + 1}`);

/** Limits the search for the end of a reference, because each opening bracket may begin one. */
const reference = /\[\^[^\]\s]{1,100}\]/y;

/** Renders `[^1]` and its note, which is moved below a line at the end of the text. */
export function footnotes(md: MarkdownIt): void {
  md.use(footnotePlugin);
  md.disable("footnote_inline");
  md.inline.ruler.before("footnote_ref", "footnote_ref_bound", (state) => {
    reference.lastIndex = state.pos;
    if (state.src.charCodeAt(state.pos) !== 0x5b || state.src.charCodeAt(state.pos + 1) !== 0x5e || reference.test(state.src)) return false;
    if (state.env.footnotes === undefined) return false;
    state.pending += "[^";
    state.pos += 2;
    return true;
  });
  const { rules } = md.renderer;
  rules.footnote_ref = (tokens, index) => {
    const meta = metaOf(tokens, index);
    return `<sup id="${referenceId(meta)}"><a href="#${noteId(meta)}">${meta.id + 1} </a></sup>`;
  };
  rules.footnote_block_open = () => "<div>\n<hr />\n<ol>\n";
  rules.footnote_block_close = () => "</ol>\n</div>\n";
  rules.footnote_open = (tokens, index) => `<li id="${noteId(metaOf(tokens, index))}">\n`;
  rules.footnote_close = () => "</li>\n";
  rules.footnote_anchor = (tokens, index) => ` <a href="#${referenceId(metaOf(tokens, index))}">\u21A9\uFE0E</a>`;
}
