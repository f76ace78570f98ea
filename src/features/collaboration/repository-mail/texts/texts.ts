import { defineTexts, type TextsOf } from "../../../../ui/texts/texts.ts";
import { english } from "./english.ts";
import { german } from "./german.ts";

/** Emails about repositories and webhooks. */
export const repositoryEmailTexts = defineTexts({ english, german });

export type RepositoryEmailTexts = TextsOf<typeof repositoryEmailTexts>;
