/** Texts up to this length are rendered within a few milliseconds, whatever they hold. */
const maxLength = 8_000;
/** Cells of tables: the parser completes short rows, so a narrow column of lines can become a field of cells. */
const maxCells = 4_000;
/** Code whose language is named is coloured by grammars that nothing bounds. */
const fence = /^[ \t>*+\-\d.)]*(?:`{3,}|~{3,})[ \t]*[\w+#.]|^[ \t]*#\+begin_src[ \t]+\S/im;

/** Whether a text is rendered fast enough for the event loop, and needs nothing that is kept from it. */
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
