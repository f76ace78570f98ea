import { account } from "./account/english.ts";
import { activity } from "./activity/english.ts";
import { administration } from "./administration/english.ts";
import { auditing } from "./auditing/english.ts";
import { branches } from "./branches/english.ts";
import { code } from "./code/english.ts";
import { commit } from "./commit/english.ts";
import { compare } from "./compare/english.ts";
import { creating } from "./creating/english.ts";
import { dashboard } from "./dashboard/english.ts";
import { editing } from "./editing/english.ts";
import { errors } from "./errors/english.ts";
import { explore } from "./explore/english.ts";
import { feeds } from "./feeds/english.ts";
import { forms } from "./forms/english.ts";
import { history } from "./history/english.ts";
import { hooks } from "./hooks/english.ts";
import { inbox } from "./inbox/english.ts";
import { issues } from "./issues/english.ts";
import { merging } from "./merging/english.ts";
import { organizations } from "./organizations/english.ts";
import { people } from "./people/english.ts";
import { picking } from "./picking/english.ts";
import { pictures } from "./pictures/english.ts";
import { planning } from "./planning/english.ts";
import { pulls } from "./pulls/english.ts";
import { releases } from "./releases/english.ts";
import { repository } from "./repository/english.ts";
import { reviewing } from "./reviewing/english.ts";
import { schedules } from "./schedules/english.ts";
import { scripts } from "./scripts/english.ts";
import { search } from "./search/english.ts";
import { security } from "./security/english.ts";
import { settings } from "./settings/english.ts";
import { signing } from "./signing/english.ts";
import { site } from "./site/english.ts";
import { sources } from "./sources/english.ts";
import { audience } from "./stars-and-watches/english.ts";
import { teams } from "./teams/english.ts";
import { tracking } from "./tracking/english.ts";
import { wiki } from "./wiki/english.ts";

/** What pages say. Every other language has the same entries, and the compiler holds it to them. */
export const english = {
  language: "en",
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
  task: "Task",
  pages: { previous: "Newer", next: "Older", previousPage: "Previous page", nextPage: "Next page", of: "Pages" },
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

export type Texts = typeof english;
