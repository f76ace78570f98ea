import { defineTexts } from "../../../../ui/texts/texts.ts";
import { english as emailsEnglish } from "./emails/english.ts";
import { german as emailsGerman } from "./emails/german.ts";
import { english } from "./english.ts";
import { german } from "./german.ts";

/** Members, teams and collaborators. */
export const teamTexts = defineTexts({ english, german });

/** Emails that invite to an organization. */
export const invitationEmailTexts = defineTexts({ english: emailsEnglish, german: emailsGerman });
