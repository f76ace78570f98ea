import type { EmojiTable } from "./environment.ts";

/** Only texts that match this contain emoji. */
const candidate = /:[a-z0-9_+-]+:|\p{Emoji_Presentation}|\uFE0F/iu;

let table: Promise<EmojiTable> | undefined;

/** The emoji table if a text may need it. */
export async function emojiFor(text: string): Promise<EmojiTable | undefined> {
  if (!candidate.test(text)) return undefined;
  table ??= loadTable();
  return table;
}

/** Every emoji with its names, for completion. */
export async function listEmoji(): Promise<readonly (readonly [character: string, names: readonly string[]])[]> {
  const { default: entries } = await import("./data/emoji.json", { with: { type: "json" } });
  return Object.entries(entries).map(([character, entry]) => [character, (entry.split("\t")[1] ?? "").split(" ")]);
}

async function loadTable(): Promise<EmojiTable> {
  const { default: entries } = await import("./data/emoji.json", { with: { type: "json" } });
  const byName = new Map<string, string>();
  const descriptions = new Map<string, string>();
  for (const [character, entry] of Object.entries(entries)) {
    const [description = "", names = ""] = entry.split("\t");
    descriptions.set(character, description);
    // Texts contain the character with and without the emoji variation selector.
    descriptions.set(character.replaceAll("\uFE0F", ""), description);
    for (const name of names.split(" ")) byName.set(name, character);
  }
  return { byName, descriptions };
}

export interface Emoji {
  readonly character: string;
  readonly description: string;
}

const pattern = /:([a-z0-9_+\-]{1,64}):|\p{RGI_Emoji}/giv;

/** Splits a text into words and emoji, given as characters or as names between colons. */
export function findEmoji(text: string, { byName, descriptions }: EmojiTable): (string | Emoji)[] {
  const parts: (string | Emoji)[] = [];
  let from = 0;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const character = match[1] === undefined ? match[0] : byName.get(match[1].toLowerCase());
    const description = character === undefined ? undefined : (descriptions.get(character) ?? descriptions.get(character.replaceAll("\uFE0F", "")));
    if (character === undefined || description === undefined) {
      // The closing colon may start the next name.
      if (match[1] !== undefined) pattern.lastIndex--;
      continue;
    }
    if (match.index > from) parts.push(text.slice(from, match.index));
    parts.push({ character, description });
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}
