import type { MarkdownIt, Token } from "markdown-it";

const marker = /^\[!(note|tip|important|warning|caution)\]$/i;

/** A quotation that begins with `[!NOTE]` or a similar marker becomes an alert with that title. */
export function alerts(md: MarkdownIt): void {
  md.core.ruler.after("inline", "alerts", (state) => {
    if (!/\[!/.test(state.src)) return;
    const { tokens } = state;
    const dropped = new Set<Token>();
    const titles = new Map<Token, Token>();
    for (const [at, quote] of tokens.entries()) {
      if (quote.type !== "blockquote_open") continue;
      const [open, inline, close] = [tokens[at + 1], tokens[at + 2], tokens[at + 3]];
      const kind = open?.type === "paragraph_open" && inline?.type === "inline" ? takeMarker(inline) : undefined;
      if (kind === undefined || open === undefined || inline === undefined || close === undefined) continue;
      quote.attrSet("class", `attention-header attention-${kind}`);
      const title = new state.Token("alert_title", "", 0);
      title.content = kind;
      titles.set(quote, title);
      if (inline.children?.length === 0) for (const token of [open, inline, close]) dropped.add(token);
    }
    state.tokens = tokens.flatMap((token) => (dropped.has(token) ? [] : [token, titles.get(token) ?? []].flat()));
  });
  md.renderer.rules.alert_title = (tokens, index) => {
    const kind = tokens[index]?.content ?? "";
    return `<p><strong class="attention-${kind}">${kind.charAt(0).toUpperCase()}${kind.slice(1)}</strong></p>\n`;
  };
}

/** Removes the marker with its line break. */
function takeMarker(inline: Token): string | undefined {
  const children = inline.children ?? [];
  const end = children.findIndex(({ type }) => type === "softbreak" || type === "hardbreak");
  const line = end < 0 ? children : children.slice(0, end);
  if (!line.every(({ type }) => type === "text" || type === "text_special")) return undefined;
  const kind = marker.exec(
    line
      .map(({ content }) => content)
      .join("")
      .trim(),
  )?.[1];
  if (kind === undefined) return undefined;
  inline.children = end < 0 ? [] : children.slice(end + 1);
  return kind.toLowerCase();
}
