import { defineTexts } from "../../../../ui/texts/texts.ts";
import { english } from "./english.ts";
import { german } from "./german.ts";

/** Blocked users. */
export const blockTexts = defineTexts({ english, german });
