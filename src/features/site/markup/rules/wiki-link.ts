import type { MarkdownIt, StateInline } from "markdown-it";

const openingBracket = 0x5b;
const link = /\[\[([^[\]\n]{1,300})\]\]/y;
const picture = /\.(?:avif|bmp|gif|ico|jpe?g|png|svg|tiff?|webp)$/i;

/** Links `[[page]]` and `[[words|page]]` to a wiki page, or embeds an image. */
export function wikiLink(md: MarkdownIt): void {
  md.inline.ruler.before("link", "wiki_link", (state, silent) => {
    if (state.src.charCodeAt(state.pos) !== openingBracket || state.src.charCodeAt(state.pos + 1) !== openingBracket) return false;
    link.lastIndex = state.pos;
    const match = link.exec(state.src);
    if (match === null || state.pos + match[0].length > state.posMax || state.linkLevel > 0) return false;
    const [words = "", given] = (match[1] ?? "").split("|").map((part) => part.trim());
    const target = given ?? words;
    if (words === "" || target === "") return false;
    if (!silent) push(state, words, /^[a-z][a-z0-9+.-]*:/i.test(target) ? target : target.replaceAll(" ", "-"));
    state.pos += match[0].length;
    return true;
  });
}

function push(state: StateInline, words: string, target: string): void {
  if (picture.test(target)) {
    const image = state.push("image", "img", 0);
    image.attrs = [
      ["src", target],
      ["alt", ""],
    ];
    const text = new state.Token("text", "", 0);
    text.content = words;
    image.children = [text];
    image.content = words;
    return;
  }
  state.push("link_open", "a", 1).attrs = [["href", target]];
  state.push("text", "", 0).content = words;
  state.push("link_close", "a", -1);
}
