import { defineTexts } from "../../../../ui/texts/texts.ts";
import { english } from "./english.ts";
import { german } from "./german.ts";

/** Transfers of repositories. */
export const transferTexts = defineTexts({ english, german });
