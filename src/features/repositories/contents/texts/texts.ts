import { defineTexts } from "../../../../ui/texts/texts.ts";
import { english as codeEnglish } from "./code/english.ts";
import { german as codeGerman } from "./code/german.ts";
import { english as editEnglish } from "./edit/english.ts";
import { german as editGerman } from "./edit/german.ts";
import { english as pickEnglish } from "./pick/english.ts";
import { german as pickGerman } from "./pick/german.ts";
import { english as searchEnglish } from "./search/english.ts";
import { german as searchGerman } from "./search/german.ts";

/** Files and folders. */
export const codeTexts = defineTexts({ english: codeEnglish, german: codeGerman });

/** Editing files in the browser. */
export const editTexts = defineTexts({ english: editEnglish, german: editGerman });

/** Code search and blame. */
export const searchTexts = defineTexts({ english: searchEnglish, german: searchGerman });

/** Cherry-picking and reverting a commit. */
export const pickTexts = defineTexts({ english: pickEnglish, german: pickGerman });
