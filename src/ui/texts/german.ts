import { german as diff } from "./diff/german.ts";
import type { english } from "./english.ts";
import { german as errors } from "./errors/german.ts";
import { german as explore } from "./explore/german.ts";
import { german as forms } from "./forms/german.ts";
import { german as mistakes } from "./mistakes/german.ts";
import { german as organization } from "./organization/german.ts";
import { german as rendered } from "./rendered/german.ts";
import { german as repository } from "./repository/german.ts";
import { german as revMenu } from "./rev-menu/german.ts";
import { german as scripts } from "./scripts/german.ts";
import { german as settings } from "./settings/german.ts";
import { german as site } from "./site/german.ts";

export const german: typeof english = {
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
  justNow: "gerade eben",
  pages: {
    previous: "Neuere",
    next: "Ältere",
    previousPage: "Zurück",
    nextPage: "Weiter",
    page: (number) => `Seite ${number}`,
    beyond: (number) => `Seite ${number} existiert nicht.`,
    lastOne: (number) => `Zur letzten Seite, ${number}`,
    of: "Seiten",
  },
};
