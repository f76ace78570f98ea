import type { MarkdownIt, StateCore, Token } from "markdown-it";
import { renderingOf } from "../environment.ts";

const marker = /^\[([ xX])\][ \t]+/;

/** Renders items with `[ ]` or `[x]` as checkboxes with the byte position of the mark in the text. */
export function taskList(md: MarkdownIt): void {
  md.core.ruler.after("inline", "task_list", (state) => {
    if (!/\[[ xX]\]/.test(state.src)) return;
    const positionOf = bytePositions(renderingOf(state.env).source);
    const result: Token[] = [];
    for (const [at, token] of state.tokens.entries()) {
      result.push(token);
      const inline = token.type === "list_item_open" && state.tokens[at + 1]?.type === "paragraph_open" ? state.tokens[at + 2] : undefined;
      const box = inline === undefined ? undefined : takeMarker(inline, state, positionOf);
      if (box === undefined) continue;
      token.attrJoin("class", "task-list-item");
      result.push(box);
    }
    state.tokens = result;
  });
  md.renderer.rules.task_box = (tokens, index) => {
    const { isChecked, position } = (tokens[index] as Token).meta as unknown as Box;
    return `<input type="checkbox" disabled="" data-source-position="${position}"${isChecked ? ' checked=""' : ""} />`;
  };
}

type Box = {
  readonly isChecked: boolean;
  readonly position: number;
};

function takeMarker(inline: Token, state: StateCore, positionOf: (line: number) => number): Token | undefined {
  const [first] = inline.children ?? [];
  const match = first?.type === "text" ? marker.exec(first.content) : null;
  if (first === undefined || match === null) return undefined;
  first.content = first.content.slice(match[0].length);
  const token = new state.Token("task_box", "input", 0);
  token.meta = { isChecked: match[1] !== " ", position: positionOf(inline.map?.[0] ?? 0) } satisfies Box;
  return token;
}

/** @returns a function for the byte position of the first mark in a line */
function bytePositions(source: string): (line: number) => number {
  const lines: string[] = [];
  const starts: number[] = [];
  let bytes = 0;
  for (const [whole, line = ""] of source.matchAll(/([^\r\n]*)(?:\r\n|[\r\n]|$)/g)) {
    lines.push(line);
    starts.push(bytes);
    bytes += Buffer.byteLength(whole);
  }
  return (at) => {
    const line = lines[at] ?? "";
    return (starts[at] ?? 0) + Buffer.byteLength(line.slice(0, Math.max(line.search(/\[[ xX]\]/), 0)));
  };
}
