import { defineTexts } from "../../../../ui/texts/texts.ts";
import { english } from "./english.ts";
import { german } from "./german.ts";

/** Unsubscribing from emails. */
export const unsubscribeTexts = defineTexts({ english, german });
