import { escapeHtml } from "../../../core/escape-html.ts";
import type { Result } from "./model.ts";

const colors: Readonly<Record<Result | "none", string>> = {
  success: "#1a7f37",
  failure: "#c4222e",
  cancelled: "#6e6a65",
  skipped: "#6e6a65",
  none: "#6e6a65",
};

const words: Readonly<Record<Result | "none", string>> = {
  success: "passing",
  failure: "failing",
  cancelled: "cancelled",
  skipped: "skipped",
  none: "no status",
};

const padding = 12;
/** Average width of a character in the font of the badge. */
const characterWidth = 6.6;

/** A picture of the state of a workflow for READMEs; in English, because it is the same for all readers. */
export function drawBadge(label: string, result: Result | undefined): string {
  const state = result ?? "none";
  const shown = label.length > 60 ? `${label.slice(0, 60)}…` : label;
  const left = Math.round(shown.length * characterWidth + padding);
  const right = Math.round(words[state].length * characterWidth + padding);
  const name = escapeHtml(`${shown}: ${words[state]}`);
  const text = (x: number, content: string): string =>
    `<text x="${x}" y="14" textLength="${Math.round(content.length * characterWidth)}">${escapeHtml(content)}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${name}"><title>${name}</title>`,
    `<rect width="${left}" height="20" fill="#3b3835"/><rect x="${left}" width="${right}" height="20" fill="${colors[state]}"/>`,
    `<g fill="#ffffff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${text(padding / 2, shown)}${text(left + padding / 2, words[state])}</g></svg>`,
  ].join("");
}
