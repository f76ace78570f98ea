import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { english, type Texts } from "./english.ts";
import { german } from "./german.ts";

export type { Texts } from "./english.ts";

export const catalogues: readonly Texts[] = [english, german];

/** The texts of the page that is being rendered. */
export const TextsContext = createContext<Texts>(english);
export const useTexts = (): Texts => useContext(TextsContext);

/**
 * The catalogue that a reader understands best.
 * @param preferred language tags, the best first: an account's setting, then what a browser accepts
 */
export function textsFor(preferred: readonly string[]): Texts {
  for (const tag of preferred) {
    const language = tag.toLowerCase().split("-")[0];
    const found = catalogues.find((texts) => texts.language === language);
    if (found !== undefined) return found;
  }
  return english;
}
