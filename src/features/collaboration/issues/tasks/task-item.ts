import { lengths } from "../../../../core/lengths.ts";

/** An open task item of a text. The positions are indexes of UTF-16 units. */
export interface TaskItem {
  /** Its Markdown source, on one line. */
  readonly text: string;
  /** The part of the text that is replaced by a reference. */
  readonly from: number;
  readonly to: number;
}

/** A line that starts another block, so that it does not continue a paragraph. */
const otherBlock = /^\s*(?:$|(?:[-*+]|\d{1,9}[.)])(?:\s|$)|>|#{1,6}(?:\s|$)|```|~~~|\$\$|<\/?[a-z!]|(?:[-_*=]\s*){3,}$)/i;

/**
 * Finds an open task item by the position of its bracket.
 * @param position in bytes, as in the attribute `data-source-position` of rendered texts
 * @returns undefined if the text has none there
 */
export function findTask(text: string, position: number): TaskItem | undefined {
  const at = Buffer.from(text).toString("utf8", 0, position).length;
  const marker = /^\[ \][ \t]+/.exec(text.slice(at));
  if (marker === null || !/(?:^|[-*+.)>\s])$/.test(text.slice(0, at))) return undefined;
  const from = at + marker[0].length;
  const [first = "", ...further] = text.slice(from).split("\n");
  const end = further.findIndex((line) => otherBlock.test(line));
  const lines = [first, ...(end === -1 ? further : further.slice(0, end))];
  const source = lines.join("\n").trimEnd();
  const item = {
    text: lines
      .map((line) => line.trim())
      .join(" ")
      .trim(),
    from,
    to: from + source.length,
  };
  return item.text === "" || soleReference.test(item.text) ? undefined : item;
}

const soleReference = /^(?:[A-Za-z0-9_.-]{1,100}\/[A-Za-z0-9_.-]{1,100})?[#!][1-9]\d{0,14}$/;

/** The text with a reference in place of the item's text. */
export const withReference = (text: string, { from, to }: TaskItem, number: number): string => `${text.slice(0, from)}#${number}${text.slice(to)}`;

/** The title and text of an issue for a task item: the text is only needed if the title lacks something. */
export function issueOfTask({ text }: TaskItem): { readonly title: string; readonly content: string } {
  const characters = [...text.replace(/!?\[([^\][]*)\]\([^()\s]*\)/g, "$1").trim()];
  const title = characters.length <= lengths.title ? characters.join("") : `${characters.slice(0, lengths.title - 1).join("")}…`;
  return title === "" ? { title: text.slice(0, lengths.title), content: "" } : { title, content: title === text ? "" : text };
}
