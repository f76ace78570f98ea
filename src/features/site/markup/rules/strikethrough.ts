import type { Delimiter, MarkdownIt, StateInline, Token } from "markdown-it";

const tilde = 0x7e;
/** Runs of one and of two tildes are different delimiters and never match each other. */
const markerOf = (length: number): number => tilde * length;
const markers: ReadonlySet<number> = new Set([markerOf(1), markerOf(2)]);

/** Strikes through text between one or two tildes, as GitHub does; the built-in rule supports only pairs. */
export function strikethrough(md: MarkdownIt): void {
  md.inline.ruler.at("strikethrough", tokenize);
  md.inline.ruler2.at("strikethrough", (state) => {
    join(state.tokens, state.delimiters);
    for (const meta of state.tokens_meta) if (meta?.delimiters !== undefined) join(state.tokens, meta.delimiters);
  });
}

function tokenize(state: StateInline, silent: boolean): boolean {
  if (silent || state.src.charCodeAt(state.pos) !== tilde) return false;
  const { length, can_open: open, can_close: close } = state.scanDelims(state.pos, true);
  const token = state.push("text", "", 0);
  token.content = "~".repeat(length);
  if (length <= 2) state.delimiters.push({ marker: markerOf(length), length, token: state.tokens.length - 1, end: -1, open, close });
  state.pos += length;
  return true;
}

function join(tokens: readonly Token[], delimiters: readonly Delimiter[]): void {
  for (const start of delimiters) {
    const end = markers.has(start.marker) && start.end >= 0 ? delimiters[start.end] : undefined;
    if (end === undefined) continue;
    become(tokens[start.token], "del_open", 1);
    become(tokens[end.token], "del_close", -1);
  }
}

function become(token: Token | undefined, type: string, nesting: 1 | -1): void {
  if (token === undefined) return;
  token.markup = token.content;
  token.content = "";
  token.type = type;
  token.tag = "del";
  token.nesting = nesting;
}
