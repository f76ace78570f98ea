import { defineTexts } from "../../../../ui/texts/texts.ts";
import { english } from "./english.ts";
import { german } from "./german.ts";

/** Titles of feeds. */
export const feedTexts = defineTexts({ english, german });
