import { defineTexts } from "../../../../ui/texts/texts.ts";
import { english as emailsEnglish } from "./emails/english.ts";
import { german as emailsGerman } from "./emails/german.ts";
import { english as pagesEnglish } from "./pages/english.ts";
import { german as pagesGerman } from "./pages/german.ts";

/** Forgotten passwords, and the verification of email addresses. */
export const recoveryTexts = defineTexts({ english: pagesEnglish, german: pagesGerman });

/** Emails about passwords and email addresses. */
export const recoveryEmailTexts = defineTexts({ english: emailsEnglish, german: emailsGerman });
