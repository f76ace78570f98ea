import { defineTexts } from "../../../../ui/texts/texts.ts";
import { english as changedFilesEnglish } from "./changed-files/english.ts";
import { german as changedFilesGerman } from "./changed-files/german.ts";
import { english as commitEnglish } from "./commit/english.ts";
import { german as commitGerman } from "./commit/german.ts";

/** One commit and its changes. */
export const commitTexts = defineTexts({ english: commitEnglish, german: commitGerman });

/** A list of changed files. */
export const changedFilesTexts = defineTexts({ english: changedFilesEnglish, german: changedFilesGerman });
