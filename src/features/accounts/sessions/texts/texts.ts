import { defineTexts } from "../../../../ui/texts/texts.ts";
import { english } from "./english.ts";
import { german } from "./german.ts";

/** Signing in, and the sessions of a user. */
export const signInTexts = defineTexts({ english, german });
