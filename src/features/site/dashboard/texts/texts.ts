import { defineTexts } from "../../../../ui/texts/texts.ts";
import { english } from "./english.ts";
import { german } from "./german.ts";

/** The dashboard of a signed-in user, and the lists across repositories. */
export const dashboardTexts = defineTexts({ english, german });
