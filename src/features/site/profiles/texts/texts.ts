import { defineTexts } from "../../../../ui/texts/texts.ts";
import { english } from "./english.ts";
import { german } from "./german.ts";

/** Profiles of users and organizations, and lists of them. */
export const profileTexts = defineTexts({ english, german });
