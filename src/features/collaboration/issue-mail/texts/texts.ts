import { defineTexts, type TextsOf } from "../../../../ui/texts/texts.ts";
import { english as emailsEnglish } from "./emails/english.ts";
import { german as emailsGerman } from "./emails/german.ts";
import { english as unsubscribeEnglish } from "./unsubscribe/english.ts";
import { german as unsubscribeGerman } from "./unsubscribe/german.ts";

/** Emails about issues and pull requests. */
export const issueEmailTexts = defineTexts({ english: emailsEnglish, german: emailsGerman });

export type IssueEmailTexts = TextsOf<typeof issueEmailTexts>;

/** Unsubscribing from emails. */
export const unsubscribeTexts = defineTexts({ english: unsubscribeEnglish, german: unsubscribeGerman });
