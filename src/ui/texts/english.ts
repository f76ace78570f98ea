import { english as diff } from "./diff/english.ts";
import { english as errors } from "./errors/english.ts";
import { english as explore } from "./explore/english.ts";
import { english as forms } from "./forms/english.ts";
import { english as mistakes } from "./mistakes/english.ts";
import { english as organization } from "./organization/english.ts";
import { english as rendered } from "./rendered/english.ts";
import { english as repository } from "./repository/english.ts";
import { english as revMenu } from "./rev-menu/english.ts";
import { english as scripts } from "./scripts/english.ts";
import { english as settings } from "./settings/english.ts";
import { english as site } from "./site/english.ts";

/** Texts that several features share, and those of the page frame. */
export const english = {
  settings,
  repository,
  revMenu,
  diff,
  site,
  errors,
  explore,
  forms,
  mistakes,
  organization,
  scripts,
  rendered,
  justNow: "just now",
  pages: {
    previous: "Newer",
    next: "Older",
    previousPage: "Previous",
    nextPage: "Next",
    page: (number: number) => `Page ${number}`,
    beyond: (number: number) => `Page ${number} does not exist.`,
    lastOne: (number: number) => `Go to the last page, ${number}`,
    of: "Pages",
  },
};
