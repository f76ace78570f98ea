import { defineTexts } from "../../../../ui/texts/texts.ts";
import { english } from "./english.ts";
import { german } from "./german.ts";

/** Authentication sources (LDAP, OpenID Connect) and linked accounts. */
export const authSourceTexts = defineTexts({ english, german });
