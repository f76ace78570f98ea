/** Texts up to this length render within a few milliseconds, whatever they contain. */
const maxLength = 5_000;
/** Table cells: the parser completes short rows, so a narrow column of lines can become a large table. */
const maxCells = 4_000;
/** Code with a language is highlighted by grammars without any bound on their time. */
const fence = /^[ \t>*+\-\d.)]*(?:`{3,}|~{3,})[ \t]*[\w+#.]|^[ \t]*#\+begin_src[ \t]+\S/im;

/** Whether a text can be rendered on the event loop: short enough, and without highlighted code. */
export function isQuick(text: string): boolean {
  return text.length <= maxLength && !fence.test(text) && cellsOf(text) <= maxCells;
}

function cellsOf(text: string): number {
  let lines = 0;
  let widest = 0;
  for (const line of text.split("\n")) {
    lines++;
    const width = line.split("|").length - 1;
    if (width > widest) widest = width;
  }
  return lines * widest;
}
