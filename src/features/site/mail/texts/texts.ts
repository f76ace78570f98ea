import { english, type LetterTexts } from "./english.ts";
import { german } from "./german.ts";

const catalogues: readonly LetterTexts[] = [english, german];

/** The catalogue for an account's language, a tag as `de-DE`; English where there is none. */
export function letterTexts(tag: string): LetterTexts {
  const language = tag.toLowerCase().split("-")[0];
  return catalogues.find((texts) => texts.language === language) ?? english;
}
