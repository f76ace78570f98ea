/** The languages of pages, by the names of their files. */
const tags = { english: "en", german: "de" } as const;

export type Language = (typeof tags)[keyof typeof tags];
export const languages: readonly Language[] = Object.values(tags);

/** The name of each language in itself. */
export const languageNames: Readonly<Record<Language, string>> = { en: "English", de: "Deutsch" };

/** Texts with the same entries in each language. */
export type Translations<T> = Readonly<Record<Language, T>>;

/** The texts of one language. */
export type TextsOf<T extends Translations<unknown>> = T["en"];

/** Declares the texts of a feature, or of one of its subjects. English determines the entries: the compiler reports those that another language lacks. */
export const defineTexts = <T>(texts: { readonly english: T; readonly german: NoInfer<T> }): Translations<T> => ({ en: texts.english, de: texts.german });

/**
 * The language of the current rendering. Rendering is one synchronous call, so this is an argument of every view rather than state.
 * A preact context would keep the tree of each page until the next full garbage collection, because its provider records every view that reads it.
 */
let current: Language = "en";

/** @returns the language of the page that is being rendered */
export const useLanguage = (): Language => current;

/** @returns texts in the language of the page that is being rendered */
export const useTexts = <T>(texts: Translations<T>): T => texts[current];

/** Renders in a language. Renderings may be nested. */
export function renderIn<T>(language: Language, render: () => T): T {
  const outer = current;
  current = language;
  try {
    return render();
  } finally {
    current = outer;
  }
}

/**
 * The first preferred language that pages have, or English.
 * @param preferred language tags, the most preferred first: the setting of an account, then those that a browser accepts
 */
export function languageFor(preferred: readonly string[]): Language {
  for (const tag of preferred) {
    const language = tag.toLowerCase().split("-")[0];
    const found = languages.find((one) => one === language);
    if (found !== undefined) return found;
  }
  return "en";
}

/** @returns texts in the most preferred language, see `languageFor` */
export const textsFor = <T>(texts: Translations<T>, preferred: readonly string[]): T => texts[languageFor(preferred)];
