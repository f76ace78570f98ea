import { defineTexts } from "../../../../ui/texts/texts.ts";
import { english } from "./english.ts";
import { german } from "./german.ts";

/** Webhooks of users, organizations, repositories and the server. */
export const hookTexts = defineTexts({ english, german });
