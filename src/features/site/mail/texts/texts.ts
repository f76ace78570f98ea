import { type EmailTexts, english } from "./english.ts";
import { german } from "./german.ts";

const catalogues: readonly EmailTexts[] = [english, german];

/** The catalogue for an account's language, a tag as `de-DE`; English where there is none. */
export function emailTexts(tag: string): EmailTexts {
  const language = tag.toLowerCase().split("-")[0];
  return catalogues.find((texts) => texts.language === language) ?? english;
}
