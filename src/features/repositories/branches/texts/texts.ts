import { defineTexts } from "../../../../ui/texts/texts.ts";
import { english as branchesEnglish } from "./branches/english.ts";
import { german as branchesGerman } from "./branches/german.ts";
import { english as rulesEnglish } from "./rules/english.ts";
import { german as rulesGerman } from "./rules/german.ts";

/** Branches and tags. */
export const branchTexts = defineTexts({ english: branchesEnglish, german: branchesGerman });

/** Rules for branches and tags. */
export const ruleTexts = defineTexts({ english: rulesEnglish, german: rulesGerman });
