import { defineTexts } from "../../../../ui/texts/texts.ts";
import { english } from "./english.ts";
import { german } from "./german.ts";

/** Creating an account. */
export const registrationTexts = defineTexts({ english, german });
