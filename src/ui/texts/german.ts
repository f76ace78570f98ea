import { account } from "./account/german.ts";
import { activity } from "./activity/german.ts";
import { administration } from "./administration/german.ts";
import { auditing } from "./auditing/german.ts";
import { branches } from "./branches/german.ts";
import { code } from "./code/german.ts";
import { commit } from "./commit/german.ts";
import { compare } from "./compare/german.ts";
import { creating } from "./creating/german.ts";
import { dashboard } from "./dashboard/german.ts";
import { editing } from "./editing/german.ts";
import type { Texts } from "./english.ts";
import { errors } from "./errors/german.ts";
import { explore } from "./explore/german.ts";
import { feeds } from "./feeds/german.ts";
import { forms } from "./forms/german.ts";
import { history } from "./history/german.ts";
import { hooks } from "./hooks/german.ts";
import { inbox } from "./inbox/german.ts";
import { issues } from "./issues/german.ts";
import { merging } from "./merging/german.ts";
import { organizations } from "./organizations/german.ts";
import { people } from "./people/german.ts";
import { picking } from "./picking/german.ts";
import { pictures } from "./pictures/german.ts";
import { planning } from "./planning/german.ts";
import { pulls } from "./pulls/german.ts";
import { releases } from "./releases/german.ts";
import { repository } from "./repository/german.ts";
import { reviewing } from "./reviewing/german.ts";
import { schedules } from "./schedules/german.ts";
import { scripts } from "./scripts/german.ts";
import { search } from "./search/german.ts";
import { security } from "./security/german.ts";
import { settings } from "./settings/german.ts";
import { signing } from "./signing/german.ts";
import { site } from "./site/german.ts";
import { sources } from "./sources/german.ts";
import { audience } from "./stars-and-watches/german.ts";
import { teams } from "./teams/german.ts";
import { tracking } from "./tracking/german.ts";
import { wiki } from "./wiki/german.ts";

export const german: Texts = {
  language: "de",
  account,
  activity,
  administration,
  audience,
  auditing,
  creating,
  dashboard,
  editing,
  errors,
  feeds,
  inbox,
  organizations,
  teams,
  sources,
  pictures,
  people,
  search,
  wiki,
  forms,
  hooks,
  picking,
  planning,
  security,
  settings,
  signing,
  site,
  schedules,
  scripts,
  task: "Aufgabe",
  pages: { previous: "Neuere", next: "Ältere", previousPage: "Vorige Seite", nextPage: "Nächste Seite", of: "Seiten" },
  repository,
  explore,
  code,
  history,
  commit,
  issues,
  tracking,
  pulls,
  merging,
  compare,
  reviewing,
  releases,
  branches,
};
