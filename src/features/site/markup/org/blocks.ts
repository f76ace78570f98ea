import { escapeHtml } from "../../../../core/escape-html.ts";
import { renderInline } from "./inline.ts";

/** Maximum nesting of lists and quotations. */
const maxDepth = 20;

export type CodeRenderer = (code: string, language: string) => string;

const headline = /^(\*+)[ \t]+(.*)$/;
const block = /^[ \t]*#\+begin_(\w+)[ \t]*(\S*)/i;
const keyword = /^[ \t]*#\+(\w+):[ \t]*(.*)$/;
const drawer = /^[ \t]*:[\w-]+:[ \t]*$/;
const fixedWidth = /^[ \t]*:(?: (.*))?$/;
const row = /^[ \t]*\|/;
const rule = /^[ \t]*-{5,}[ \t]*$/;
const comment = /^[ \t]*#(?: |$)/;
const item = /^([ \t]*)(?:([-+])|(\d{1,9})[.)])(?:[ \t]+(.*)|$)/;

/** Renders blocks of lines as unsanitized HTML. The caller handles headlines. */
export function renderBlocks(lines: readonly string[], code: CodeRenderer, depth = 0): string {
  let html = "";
  let at = 0;
  while (at < lines.length) {
    const { html: piece, end } = blockAt(lines, at, code, depth);
    html += piece;
    at = end;
  }
  return html;
}

interface Piece {
  readonly html: string;
  /** The first line after it. */
  readonly end: number;
}

function blockAt(lines: readonly string[], at: number, code: CodeRenderer, depth: number): Piece {
  const line = lines[at] ?? "";
  if (line.trim() === "" || comment.test(line)) return { html: "", end: at + 1 };
  const [, kind, argument = ""] = block.exec(line) ?? [];
  if (kind !== undefined) return namedBlock(lines, at, kind.toLowerCase(), argument, code, depth);
  const [, name, value = ""] = keyword.exec(line) ?? [];
  if (name !== undefined) return { html: name.toLowerCase() === "title" ? `<h1>${renderInline(value)}</h1>\n` : "", end: at + 1 };
  if (drawer.test(line)) return skipDrawer(lines, at);
  if (rule.test(line)) return { html: "<hr />\n", end: at + 1 };
  if (fixedWidth.test(line))
    return gather(
      lines,
      at,
      (other) => fixedWidth.test(other),
      (group) => `<pre>${group.map((one) => escapeHtml(fixedWidth.exec(one)?.[1] ?? "")).join("\n")}</pre>\n`,
    );
  if (row.test(line)) return gather(lines, at, (other) => row.test(other), table);
  if (item.test(line) && depth < maxDepth) return list(lines, at, code, depth);
  return gather(
    lines,
    at,
    (other, index) => index === 0 || isParagraphLine(other),
    (group) => `<p>\n${renderInline(group.map((one) => one.trim()).join("\n"))}\n</p>\n`,
  );
}

const isParagraphLine = (line: string): boolean =>
  line.trim() !== "" && ![block, keyword, rule, fixedWidth, row, item, comment].some((pattern) => pattern.test(line));

function gather(lines: readonly string[], at: number, belongs: (line: string, index: number) => boolean, html: (group: readonly string[]) => string): Piece {
  let end = at;
  while (end < lines.length && belongs(lines[end] ?? "", end - at)) end++;
  return { html: html(lines.slice(at, end)), end };
}

/** A block without an end is treated as a single line of text. */
function namedBlock(lines: readonly string[], at: number, kind: string, argument: string, code: CodeRenderer, depth: number): Piece {
  const ending = new RegExp(`^[ \\t]*#\\+end_${kind}[ \\t]*$`, "i");
  let end = at + 1;
  while (end < lines.length && !ending.test(lines[end] ?? "")) end++;
  if (end >= lines.length) return { html: `<p>\n${renderInline(lines[at] ?? "")}\n</p>\n`, end: at + 1 };
  const inside = lines.slice(at + 1, end);
  return { html: namedBlockHtml(kind, argument, inside, code, depth), end: end + 1 };
}

function namedBlockHtml(kind: string, argument: string, inside: readonly string[], code: CodeRenderer, depth: number): string {
  switch (kind) {
    case "src":
      return code(`${dedent(inside).join("\n")}\n`, argument);
    case "example":
      return `<pre>${escapeHtml(inside.join("\n"))}</pre>\n`;
    case "quote":
      return depth < maxDepth ? `<blockquote>\n${renderBlocks(inside, code, depth + 1)}</blockquote>\n` : "";
    case "verse":
      return `<p>\n${inside.map((line) => renderInline(line)).join("<br />\n")}\n</p>\n`;
    case "center":
      return depth < maxDepth ? `<div align="center">\n${renderBlocks(inside, code, depth + 1)}</div>\n` : "";
    default:
      // Comments and blocks for specific export formats are omitted.
      return "";
  }
}

function dedent(lines: readonly string[]): string[] {
  const indents = lines.filter((line) => line.trim() !== "").map((line) => line.search(/\S/));
  const common = indents.reduce((least, indent) => Math.min(least, indent), Number.POSITIVE_INFINITY);
  return lines.map((line) => (line.trim() === "" ? "" : line.slice(common)));
}

function skipDrawer(lines: readonly string[], at: number): Piece {
  let end = at + 1;
  while (end < lines.length && drawer.test(lines[end] ?? "") === false && /^[ \t]*:[\w-]+:/.test(lines[end] ?? "")) end++;
  return { html: "", end: /^[ \t]*:end:[ \t]*$/i.test(lines[end] ?? "") ? end + 1 : at + 1 };
}

function table(rows: readonly string[]): string {
  const isLine = (text: string) => /^[ \t]*\|[-+]/.test(text);
  const hasHead = rows.length > 1 && !isLine(rows[0] ?? "") && isLine(rows[1] ?? "");
  const html = rows.flatMap((text, at) => {
    if (isLine(text)) return [];
    const tag = hasHead && at === 0 ? "th" : "td";
    const cells = text
      .trim()
      .replace(/^\||\|$/g, "")
      .split("|");
    return [`<tr>${cells.map((cell) => `<${tag}>${renderInline(cell.trim())}</${tag}>`).join("")}</tr>`];
  });
  return `<table>\n${html.join("\n")}\n</table>\n`;
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** Items with one indent; lines with a larger indent belong to the item above them. */
function list(lines: readonly string[], at: number, code: CodeRenderer, depth: number): Piece {
  const first = item.exec(lines[at] ?? "");
  const indent = first?.[1]?.length ?? 0;
  const isOrdered = first?.[3] !== undefined;
  let html = "";
  let end = at;
  for (;;) {
    const match = item.exec(lines[end] ?? "");
    if (match === null || match[1]?.length !== indent || (match[3] !== undefined) !== isOrdered) break;
    const from = end + 1;
    end = from;
    while (end < lines.length && ((lines[end] ?? "").trim() === "" ? indentOf(lines[end + 1] ?? "") > indent : indentOf(lines[end] ?? "") > indent)) end++;
    html += `<li>${itemHtml(match[4] ?? "", lines.slice(from, end), code, depth)}</li>\n`;
    // An empty line may separate two items.
    if ((lines[end] ?? "").trim() === "" && indentOf(lines[end + 1] ?? "") === indent && item.test(lines[end + 1] ?? "")) end++;
  }
  const tag = isOrdered ? "ol" : "ul";
  return { html: `<${tag}>\n${html}</${tag}>\n`, end };
}

/** A single paragraph in an item has no `<p>`. */
function itemHtml(head: string, rest: readonly string[], code: CodeRenderer, depth: number): string {
  const [, box, words = head] = /^\[([ X-])\][ \t]+(.*)$/.exec(head) ?? [];
  const mark = box === undefined ? "" : `<input type="checkbox"${box === "X" ? " checked" : ""} /> `;
  const [, term, definition] = /^(.{1,200}?)[ \t]+::[ \t]+(.*)$/.exec(words) ?? [];
  const first = term === undefined ? renderInline(words) : `<strong>${renderInline(term)}</strong> ${renderInline(definition ?? "")}`;
  const follows = rest.findIndex((line) => line.trim() === "" || !isParagraphLine(line));
  const continued = (follows < 0 ? rest : rest.slice(0, follows)).map((line) => ` ${renderInline(line.trim())}`).join("\n");
  const below = follows < 0 ? "" : renderBlocks(rest.slice(follows), code, depth + 1);
  return mark + first + continued + (below === "" ? "" : `\n${below}`);
}

export interface Headline {
  readonly level: number;
  readonly title: string;
  readonly lines: readonly string[];
}

/** Splits a text at its headlines: the part before the first, and each with the lines below it. */
export function splitAtHeadlines(text: string): { readonly before: readonly string[]; readonly headlines: readonly Headline[] } {
  const before: string[] = [];
  const headlines: { level: number; title: string; lines: string[] }[] = [];
  for (const line of text.replace(/\r\n?/g, "\n").split("\n")) {
    const match = headline.exec(line);
    if (match === null) (headlines.at(-1)?.lines ?? before).push(line);
    else headlines.push({ level: match[1]?.length ?? 1, title: (match[2] ?? "").replace(/[ \t]+:[\w@#%:]+:[ \t]*$/, "").trim(), lines: [] });
  }
  return { before, headlines };
}
