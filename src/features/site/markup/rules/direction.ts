import type { MarkdownIt } from "markdown-it";

/** Sets the direction of paragraphs and outer lists by their content. */
export function direction(md: MarkdownIt): void {
  md.core.ruler.push("direction", (state) => {
    let lists = 0;
    for (const token of state.tokens) {
      if (token.type === "paragraph_open" && !token.hidden) token.attrSet("dir", "auto");
      else if (token.type === "bullet_list_open" || token.type === "ordered_list_open") {
        if (lists === 0) token.attrSet("dir", "auto");
        lists++;
      } else if (token.type === "bullet_list_close" || token.type === "ordered_list_close") lists--;
    }
  });
}
