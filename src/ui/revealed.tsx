import { escapeHtml } from "../core/escape-html.ts";
import type { Html } from "./html.ts";

/**
 * Invisible characters that can make code look like other code: direction controls (Unicode Technical Report 36, 2.1) and zero-width characters.
 * Joiners are not included, because scripts and emoji need them.
 */
const unseen = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069]/g;

const nameOf = (character: string): string => `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;

const marks = new Map<string, string>();

function markOf(character: string): string {
  const known = marks.get(character) ?? `<mark class="unseen">${nameOf(character)}</mark>`;
  marks.set(character, known);
  return known;
}

/** Above this number of characters a text is one string of HTML, because rendering hundreds of thousands of elements takes long. */
const maxMarks = 50;

/** A text with its invisible characters shown by name, so that it reads as machines read it. */
export function Revealed({ text }: { readonly text: string }): Html {
  if (text.search(unseen) < 0) return text;
  const shown: Html[] = [];
  let from = 0;
  for (const { index, 0: character } of text.matchAll(unseen)) {
    if (shown.length > maxMarks * 2) return <span dangerouslySetInnerHTML={{ __html: revealedHtml(escapeHtml(text)) }} />;
    shown.push(text.slice(from, index), <mark class="unseen">{nameOf(character)}</mark>);
    from = index + character.length;
  }
  return [...shown, text.slice(from)];
}

/** Whether a text has more invisible characters than a page can show by name. */
export function hasManyUnseen(text: string): boolean {
  let count = 0;
  for (const _ of text.matchAll(unseen)) {
    count += 1;
    if (count > maxUnseen) return true;
  }
  return false;
}

const maxUnseen = 50_000;

/** The same for HTML of the highlighter, which has such characters only where the text has them. */
export const revealedHtml = (html: string): string => html.replace(unseen, markOf);
