import { defineTexts } from "../../../../ui/texts/texts.ts";
import { english } from "./english.ts";
import { german } from "./german.ts";

/** Members, teams and collaborators. */
export const teamTexts = defineTexts({ english, german });
