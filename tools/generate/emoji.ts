import { gemoji } from "gemoji";

/** src/features/site/markup/data/emoji.json: by character, its description and then its names, one a word, after a tab. */
export function makeEmoji(): string {
  const entries = gemoji.map(({ emoji, description, names }) => [emoji, `${description}\t${names.join(" ")}`] as const);
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
}
