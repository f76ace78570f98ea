import { defineTexts } from "../../../../ui/texts/texts.ts";
import { english } from "./english.ts";
import { german } from "./german.ts";

/** Wiki pages. */
export const wikiTexts = defineTexts({ english, german });
