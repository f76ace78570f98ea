import { defineTexts } from "../../../../ui/texts/texts.ts";
import { english } from "./english.ts";
import { german } from "./german.ts";

/** The download of a user's data. */
export const dataTexts = defineTexts({ english, german });
