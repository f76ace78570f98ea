import { english, type Texts } from "./english.ts";
import { german } from "./german.ts";

export type { Texts } from "./english.ts";

export const catalogues: readonly Texts[] = [english, german];

/**
 * The catalogue of the rendering that runs. It is one synchronous call, which nothing comes in between: an argument of every view, not a state.
 * A context of preact's would have each page's tree kept until the next full collection, since its provider notes every view that asks.
 */
let spoken: Texts = english;

/** The texts of the page that is being rendered. */
export const useTexts = (): Texts => spoken;

/** Renders in a language. What is rendered in the meantime speaks its own. */
export function speaking<T>(texts: Texts, render: () => T): T {
  const outer = spoken;
  spoken = texts;
  try {
    return render();
  } finally {
    spoken = outer;
  }
}

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
