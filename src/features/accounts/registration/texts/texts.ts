import { defineTexts } from "../../../../ui/texts/texts.ts";
import { english as emailsEnglish } from "./emails/english.ts";
import { german as emailsGerman } from "./emails/german.ts";
import { english as pagesEnglish } from "./pages/english.ts";
import { german as pagesGerman } from "./pages/german.ts";

/** Creating an account. */
export const registrationTexts = defineTexts({ english: pagesEnglish, german: pagesGerman });

/** Emails about new accounts. */
export const registrationEmailTexts = defineTexts({ english: emailsEnglish, german: emailsGerman });
