import { defineTexts } from "../../../../ui/texts/texts.ts";
import { english } from "./english.ts";
import { german } from "./german.ts";

/** Avatars of users, organizations and repositories. */
export const avatarTexts = defineTexts({ english, german });
