import { defineTexts } from "../../../../ui/texts/texts.ts";
import { english } from "./english.ts";
import { german } from "./german.ts";

/** The settings of a user's own account. */
export const accountTexts = defineTexts({ english, german });
