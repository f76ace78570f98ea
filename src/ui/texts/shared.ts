import { english } from "./english.ts";
import { german } from "./german.ts";
import { defineTexts, type TextsOf } from "./texts.ts";

/** Texts of the page frame, of forms and of others that features share. */
export const sharedTexts = defineTexts({ english, german });

export type SharedTexts = TextsOf<typeof sharedTexts>;
