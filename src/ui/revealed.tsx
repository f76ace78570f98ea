import type { Html } from "./html.ts";

/**
 * Characters that nobody sees and that let code look like other code: those that turn the direction of text around (Unicode Technical Report 36,
 * 2.1), and those that have no width. Joiners, which scripts and emoji need, are none of them.
 */
const unseen = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069]/g;

const nameOf = (character: string): string => `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;

/** A text whose unseen characters stand there by their names, so that it reads as machines read it. */
export function Revealed({ text }: { readonly text: string }): Html {
  if (text.search(unseen) < 0) return text;
  const shown: Html[] = [];
  let from = 0;
  for (const { index, 0: character } of text.matchAll(unseen)) {
    shown.push(text.slice(from, index), <mark class="unseen">{nameOf(character)}</mark>);
    from = index + character.length;
  }
  return [...shown, text.slice(from)];
}

/** The same for HTML that the highlighter made of a text: it has such characters only where the text has them. */
export const revealedHtml = (html: string): string => html.replace(unseen, (character) => `<mark class="unseen">${nameOf(character)}</mark>`);
