import { defineTexts } from "../../../../ui/texts/texts.ts";
import { english } from "./english.ts";
import { german } from "./german.ts";

/** Pull and push mirrors. */
export const mirrorTexts = defineTexts({ english, german });
