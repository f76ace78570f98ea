import { defineTexts } from "../../../../ui/texts/texts.ts";
import { english as createEnglish } from "./create/english.ts";
import { german as createGerman } from "./create/german.ts";
import { english as exploreEnglish } from "./explore/english.ts";
import { german as exploreGerman } from "./explore/german.ts";
import { english as settingsEnglish } from "./settings/english.ts";
import { german as settingsGerman } from "./settings/german.ts";
import { english as starsAndWatchesEnglish } from "./stars-and-watches/english.ts";
import { german as starsAndWatchesGerman } from "./stars-and-watches/german.ts";

/** Creating a repository. */
export const createTexts = defineTexts({ english: createEnglish, german: createGerman });

/** Exploring repositories. */
export const exploreTexts = defineTexts({ english: exploreEnglish, german: exploreGerman });

/** Stars, watches and forks of a repository. */
export const starAndWatchTexts = defineTexts({ english: starsAndWatchesEnglish, german: starsAndWatchesGerman });

/** The settings of a repository. */
export const repoSettingsTexts = defineTexts({ english: settingsEnglish, german: settingsGerman });
