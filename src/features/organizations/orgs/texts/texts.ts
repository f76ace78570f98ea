import { defineTexts } from "../../../../ui/texts/texts.ts";
import { english } from "./english.ts";
import { german } from "./german.ts";

/** Organizations and their settings. */
export const orgTexts = defineTexts({ english, german });
