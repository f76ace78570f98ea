import { defineTexts } from "../../../../ui/texts/texts.ts";
import { english } from "./english.ts";
import { german } from "./german.ts";

/** Activity feeds. */
export const activityTexts = defineTexts({ english, german });
