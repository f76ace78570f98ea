import { defineTexts } from "../../../../ui/texts/texts.ts";
import { english as issuesEnglish } from "./issues/english.ts";
import { german as issuesGerman } from "./issues/german.ts";
import { english as planningEnglish } from "./planning/english.ts";
import { german as planningGerman } from "./planning/german.ts";

/** Issues and their conversations. */
export const issueTexts = defineTexts({ english: issuesEnglish, german: issuesGerman });

/** The side column and the planning of issues: labels, assignees, dates, times, dependencies, reactions. */
export const planningTexts = defineTexts({ english: planningEnglish, german: planningGerman });
