import { defineTexts } from "../../../../ui/texts/texts.ts";
import { english } from "./english.ts";
import { german } from "./german.ts";

/** SSH, OpenPGP and deploy keys. */
export const keyTexts = defineTexts({ english, german });
