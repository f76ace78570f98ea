import { defineTexts } from "../../../../ui/texts/texts.ts";
import { english } from "./english.ts";
import { german } from "./german.ts";

/** OAuth2 applications, and their authorization. */
export const oauth2Texts = defineTexts({ english, german });
