import { defineTexts } from "../../../../ui/texts/texts.ts";
import { english } from "./english.ts";
import { german } from "./german.ts";

/** Runs of workflows, their jobs and logs. */
export const runTexts = defineTexts({ english, german });
