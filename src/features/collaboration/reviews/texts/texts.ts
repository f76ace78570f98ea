import { defineTexts } from "../../../../ui/texts/texts.ts";
import { english } from "./english.ts";
import { german } from "./german.ts";

/** The review of a pull request's lines. */
export const reviewTexts = defineTexts({ english, german });
