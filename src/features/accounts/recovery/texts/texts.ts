import { defineTexts } from "../../../../ui/texts/texts.ts";
import { english } from "./english.ts";
import { german } from "./german.ts";

/** Forgotten passwords, and the verification of email addresses. */
export const recoveryTexts = defineTexts({ english, german });
