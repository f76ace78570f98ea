import { defineTexts } from "../../../../ui/texts/texts.ts";
import { english } from "./english.ts";
import { german } from "./german.ts";

/** Settings of workflows. */
export const actionsSettingsTexts = defineTexts({ english, german });
