import { gemoji } from "gemoji";

/** src/features/site/markup/data/emoji.json: for each character its description and, after a tab, its names separated by spaces. */
export function makeEmoji(): string {
  const entries = gemoji.map(({ emoji, description, names }) => [emoji, `${description}\t${names.join(" ")}`] as const);
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
}
