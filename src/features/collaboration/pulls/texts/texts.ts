import { defineTexts } from "../../../../ui/texts/texts.ts";
import { english as compareEnglish } from "./compare/english.ts";
import { german as compareGerman } from "./compare/german.ts";
import { english as mergeEnglish } from "./merge/english.ts";
import { german as mergeGerman } from "./merge/german.ts";
import { english as pullsEnglish } from "./pulls/english.ts";
import { german as pullsGerman } from "./pulls/german.ts";

/** Pull requests. */
export const pullTexts = defineTexts({ english: pullsEnglish, german: pullsGerman });

/** The merge box. */
export const mergeTexts = defineTexts({ english: mergeEnglish, german: mergeGerman });

/** Comparison of two branches, tags or commits. */
export const compareTexts = defineTexts({ english: compareEnglish, german: compareGerman });
