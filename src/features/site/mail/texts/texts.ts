import { defineTexts, type TextsOf, type Translations, textsFor } from "../../../../ui/texts/texts.ts";
import { english } from "./english.ts";
import { german } from "./german.ts";

/** Texts of all emails. */
export const mailTexts = defineTexts({ english, german });

export type MailTexts = TextsOf<typeof mailTexts>;

/** @returns texts in the language of an account, a tag such as `de-DE`; English for other languages */
export const emailTexts = <T>(texts: Translations<T>, tag: string): T => textsFor(texts, [tag]);
