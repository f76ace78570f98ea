import { defineTexts } from "../../../../ui/texts/texts.ts";
import { english } from "./english.ts";
import { german } from "./german.ts";

/** Lists of commits. */
export const historyTexts = defineTexts({ english, german });
