import { escapeHtml } from "../../../../core/escape-html.ts";

/** Maximum length between two marks, and maximum nesting of marks. */
const maxSpan = 500;
const maxDepth = 6;

const tags: Readonly<Record<string, string>> = { "*": "strong", "/": "em", _: "u", "+": "del", "=": "code", "~": "code" };
const verbatim: ReadonlySet<string> = new Set(["=", "~"]);

/** The next possible start: a mark after a space or an opening character, a link, an address, or an escaped line end. */
const candidate = /(?<=^|[\s\-('"{])[*/_+=~](?=\S)|\[\[|https?:\/\/|\\\\$/gm;
const link = /\[\[([^[\]\n]{1,1000})\](?:\[([^[\]]{1,1000})\])?\]/y;
const address = /https?:\/\/[^\s<>"'()[\]]{1,1000}[^\s<>"'()[\].,;:!?]/y;
const picture = /\.(?:avif|bmp|gif|jpe?g|png|svg|webp)$/i;

/** Renders Org inline text as unsanitized HTML. */
export function renderInline(text: string, depth = 0): string {
  let html = "";
  let from = 0;
  const search = new RegExp(candidate);
  for (let match = search.exec(text); match !== null; match = search.exec(text)) {
    const piece = pieceAt(text, match.index, match[0], depth);
    if (piece === undefined) continue;
    html += escapeHtml(text.slice(from, match.index)) + piece.html;
    from = piece.end;
    search.lastIndex = from;
  }
  return html + escapeHtml(text.slice(from));
}

interface Piece {
  readonly html: string;
  readonly end: number;
}

function pieceAt(text: string, at: number, start: string, depth: number): Piece | undefined {
  if (start === "\\\\") return { html: "<br />", end: at + 2 };
  if (start === "[[") return matched(link, text, at, ([, target = "", words]) => linkHtml(target, words, depth));
  if (start.startsWith("http")) return matched(address, text, at, ([target]) => `<a href="${escapeHtml(target)}">${escapeHtml(target)}</a>`);
  return depth < maxDepth ? span(text, at, start, depth) : undefined;
}

function matched(pattern: RegExp, text: string, at: number, html: (match: RegExpExecArray) => string): Piece | undefined {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  return match === null ? undefined : { html: html(match), end: at + match[0].length };
}

function linkHtml(target: string, words: string | undefined, depth: number): string {
  const address = escapeHtml(target.replace(/^file:(?:\/\/)?/, ""));
  if (words === undefined && picture.test(target)) return `<img src="${address}" alt="${address}" />`;
  return `<a href="${address}">${words === undefined ? escapeHtml(target) : renderInline(words, depth + 1)}</a>`;
}

/** A closing mark follows a non-space and precedes a space, punctuation or the end. */
function span(text: string, at: number, mark: string, depth: number): Piece | undefined {
  const near = text.slice(at, at + maxSpan);
  for (let end = near.indexOf(mark, 2); end >= 0; end = near.indexOf(mark, end + 1)) {
    if (/\s/.test(near.charAt(end - 1)) || !/^(?:$|[\s\-.,;:!?'")}\]\\])/.test(text.charAt(at + end + 1))) continue;
    const inner = near.slice(1, end);
    const tag = tags[mark] ?? "span";
    return { html: `<${tag}>${verbatim.has(mark) ? escapeHtml(inner) : renderInline(inner, depth + 1)}</${tag}>`, end: at + end + 1 };
  }
  return undefined;
}
