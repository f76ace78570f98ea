import { escapeHtml } from "../../../../core/escape-html.ts";
import { formatTime } from "../../../../core/time.ts";
import type { LogLine } from "../model.ts";

/** A part of a line with one look. */
interface Segment {
  readonly text: string;
  readonly classes: string;
}

const colors = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

/** Splits a line at the sequences that color text in a terminal (ECMA-48, SGR). Other sequences are removed. */
export function segmentsOf(line: string): readonly Segment[] {
  const segments: Segment[] = [];
  let color: string | undefined;
  let isBold = false;
  let last = 0;
  const add = (text: string): void => {
    if (text === "") return;
    segments.push({ text, classes: [...(isBold ? ["ansi-bold"] : []), ...(color === undefined ? [] : [`ansi-${color}`])].join(" ") });
  };
  for (const found of line.matchAll(/\x1b\[([0-9;]*)([A-Za-z])/g)) {
    add(line.slice(last, found.index));
    last = found.index + found[0].length;
    if (found[2] !== "m") continue;
    const codes = (found[1] ?? "").split(";").map(Number);
    for (let at = 0; at < codes.length; at += 1) {
      const code = codes[at] ?? 0;
      // Colors of 256 or more values have further parameters.
      if (code === 38 || code === 48) at += codes[at + 1] === 2 ? 4 : 2;
      else if (code === 0) [color, isBold] = [undefined, false];
      else if (code === 1) isBold = true;
      else if (code === 22) isBold = false;
      else if (code === 39) color = undefined;
      else color = colors[code >= 90 ? code - 90 : code - 30] ?? color;
    }
  }
  add(line.slice(last));
  return segments;
}

export type LineKind = "group" | "endgroup" | "error" | "warning" | "notice" | "debug" | "command" | "text";

/** Commands of workflows in a log, as runners write them: `##[group]Title`, `::group::Title`, `::error file=a.js,line=1::message`. */
export function commandOf(text: string): { readonly kind: LineKind; readonly text: string } {
  const found = /^(?:##\[(\w+)\]|::(\w+)(?: [^:]*)?::)(.*)$/s.exec(text);
  const name = found?.[1] ?? found?.[2];
  const kind = name === undefined ? undefined : kinds[name];
  return kind === undefined ? { kind: "text", text } : { kind, text: found?.[3] ?? "" };
}

const kinds: Readonly<Record<string, LineKind>> = {
  group: "group",
  endgroup: "endgroup",
  error: "error",
  warning: "warning",
  notice: "notice",
  debug: "debug",
  command: "command",
};

const coloredHtml = (text: string): string =>
  segmentsOf(text)
    .map((segment) => (segment.classes === "" ? escapeHtml(segment.text) : `<span class="${segment.classes}">${escapeHtml(segment.text)}</span>`))
    .join("");

export const textHtml = ([, written]: LogLine): string => coloredHtml(commandOf(written).text);

/**
 * A line of a log as HTML, the same for pages and for streams. Strings instead of elements: a page has thousands of lines.
 * @param row from 0
 */
export function lineHtml([timeMs, written]: LogLine, row: number): string {
  const { kind, text } = commandOf(written);
  const content = coloredHtml(text);
  const look = kind === "text" ? "" : ` class="log-${kind}"`;
  const time = formatTime(timeMs);
  return `<li id="L${row + 1}" value="${row + 1}"${look}><time datetime="${time}">${time.slice(11, 19)}</time><span>${content}</span></li>`;
}
