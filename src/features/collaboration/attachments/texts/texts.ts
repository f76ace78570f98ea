import { defineTexts } from "../../../../ui/texts/texts.ts";
import { english } from "./english.ts";
import { german } from "./german.ts";

/** The form of a release and its files. */
export const releaseFormTexts = defineTexts({ english, german });
