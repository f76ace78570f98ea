import { escapeHtml } from "../../../core/escape-html.ts";
import { plainText } from "./escape.ts";

/** Larger tables are shown as text. */
const maxCells = 20_000;

/** Renders comma- or tab-separated values as a table with the first line as heading. */
export function renderTableFile(text: string, isTabbed: boolean): string {
  const rows = parseRows(text, isTabbed ? "\t" : separatorOf(text));
  if (rows === undefined) return plainText(text);
  const html = rows.map((cells, at) => {
    const tag = at === 0 ? "th" : "td";
    return `<tr><${tag} class="line-num">${at + 1}</${tag}>${cells.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join("")}</tr>`;
  });
  return `<table class="data-table">${html.join("\n")}</table>\n`;
}

/** The most frequent separator in the first line. */
function separatorOf(text: string): string {
  const [line = ""] = text.split("\n", 1);
  const counted = [",", ";", "\t", "|"].map((separator) => ({ separator, count: line.split(separator).length }));
  return counted.reduce((best, next) => (next.count > best.count ? next : best)).separator;
}

/** RFC 4180: quoted cells may contain separators, line breaks and doubled quotes. @returns undefined if there are too many cells */
function parseRows(text: string, separator: string): string[][] | undefined {
  const plain = `[^${separator}\\r\\n]*`;
  const cell = new RegExp(`(?:"([^"]*(?:""[^"]*)*)"?(${plain})|(${plain}))(${separator === "|" ? "\\|" : separator}|\\r\\n?|\\n|$)`, "y");
  const rows: string[][] = [];
  let row: string[] = [];
  let cells = 0;
  for (let match = cell.exec(text); match !== null; match = cell.exec(text)) {
    const [, quoted, rest = "", bare = "", end = ""] = match;
    row.push(quoted === undefined ? bare : quoted.replaceAll('""', '"') + rest);
    cells++;
    if (cells > maxCells) return undefined;
    if (end === separator) continue;
    rows.push(row);
    row = [];
    if (cell.lastIndex >= text.length) break;
  }
  return rows;
}
