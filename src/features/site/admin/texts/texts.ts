import { defineTexts } from "../../../../ui/texts/texts.ts";
import { english as administrationEnglish } from "./administration/english.ts";
import { german as administrationGerman } from "./administration/german.ts";
import { english as auditEnglish } from "./audit/english.ts";
import { german as auditGerman } from "./audit/german.ts";
import { english as noticesEnglish } from "./notices/english.ts";
import { german as noticesGerman } from "./notices/german.ts";
import { english as schedulesEnglish } from "./schedules/english.ts";
import { german as schedulesGerman } from "./schedules/german.ts";
import { english as selfCheckEnglish } from "./self-check/english.ts";
import { german as selfCheckGerman } from "./self-check/german.ts";
import { english as settingsEnglish } from "./settings/english.ts";
import { german as settingsGerman } from "./settings/german.ts";

/** The administration of the server. */
export const adminTexts = defineTexts({ english: administrationEnglish, german: administrationGerman });

/** The audit log. */
export const auditTexts = defineTexts({ english: auditEnglish, german: auditGerman });

/** The scheduled tasks of the server. */
export const scheduleTexts = defineTexts({ english: schedulesEnglish, german: schedulesGerman });

/** System notices. */
export const noticeTexts = defineTexts({ english: noticesEnglish, german: noticesGerman });

/** The self-check of the server. */
export const selfCheckTexts = defineTexts({ english: selfCheckEnglish, german: selfCheckGerman });

/** The descriptions of the server's settings. */
export const settingTexts = defineTexts({ english: settingsEnglish, german: settingsGerman });
