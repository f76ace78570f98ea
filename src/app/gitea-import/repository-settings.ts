import { defaultSettings, type MergeStyle, type RepositorySettings } from "../../features/repositories/repos/settings.ts";
import { recordOf } from "./json.ts";
import type { Report } from "./report.ts";
import { type ForeignRow, numberOf } from "./source.ts";

const unitTypes = { code: 1, issues: 2, pulls: 3, releases: 4, wiki: 5, externalWiki: 6, externalTracker: 7, projects: 8, packages: 9, actions: 10 } as const;
const mergeStyles: readonly MergeStyle[] = ["merge", "rebase", "rebase-merge", "squash", "fast-forward-only", "manually-merged"];

/** The settings of a repository from its rows of `repo_unit`. */
export function convertSettings(units: readonly ForeignRow[], shownAs: string, report: Report): RepositorySettings {
  const configs = new Map(units.map((row) => [numberOf(row.type), recordOf(row.config)]));
  const has = (unit: keyof typeof unitTypes): boolean => configs.has(unitTypes[unit]);
  const configOf = (unit: keyof typeof unitTypes): Readonly<Record<string, unknown>> => configs.get(unitTypes[unit]) ?? {};
  if (units.some((row) => numberOf(row.everyone_access_mode) + numberOf(row.anonymous_access_mode) > 0))
    report.without("rights of all users on a unit", shownAs);
  const [issues, tracker, projects] = [configOf("issues"), configOf("externalTracker"), configOf("projects")];
  const mode = projects.ProjectsMode;
  return {
    hasCode: has("code"),
    hasIssues: has("issues") || has("externalTracker"),
    internalTracker: {
      enableTimeTracker: flag(issues, "EnableTimetracker", true),
      allowOnlyContributorsToTrackTime: flag(issues, "AllowOnlyContributorsToTrackTime", true),
      enableIssueDependencies: flag(issues, "EnableDependencies", true),
    },
    externalTracker: has("externalTracker")
      ? {
          url: text(tracker, "ExternalTrackerURL"),
          format: text(tracker, "ExternalTrackerFormat"),
          style: text(tracker, "ExternalTrackerStyle"),
          regexpPattern: text(tracker, "ExternalTrackerRegexpPattern"),
        }
      : null,
    hasWiki: has("wiki") || has("externalWiki"),
    externalWikiUrl: has("externalWiki") ? text(configOf("externalWiki"), "ExternalWikiURL") : null,
    hasPullRequests: has("pulls"),
    hasProjects: has("projects"),
    projectsMode: mode === "repo" || mode === "owner" ? mode : "all",
    hasReleases: has("releases"),
    hasPackages: has("packages"),
    hasActions: has("actions"),
    ...pullSettings(configOf("pulls")),
  };
}

function pullSettings(config: Readonly<Record<string, unknown>>) {
  const style = mergeStyles.find((one) => one === config.DefaultMergeStyle);
  return {
    ignoreWhitespaceConflicts: flag(config, "IgnoreWhitespaceConflicts", false),
    allowMergeCommits: flag(config, "AllowMerge", true),
    allowRebase: flag(config, "AllowRebase", true),
    allowRebaseExplicit: flag(config, "AllowRebaseMerge", true),
    allowSquashMerge: flag(config, "AllowSquash", true),
    allowFastForwardOnlyMerge: flag(config, "AllowFastForwardOnly", false),
    allowRebaseUpdate: flag(config, "AllowRebaseUpdate", true),
    allowManualMerge: flag(config, "AllowManualMerge", false),
    autodetectManualMerge: flag(config, "AutodetectManualMerge", false),
    defaultDeleteBranchAfterMerge: flag(config, "DefaultDeleteBranchAfterMerge", false),
    defaultMergeStyle: style ?? defaultSettings.defaultMergeStyle,
    defaultAllowMaintainerEdit: flag(config, "DefaultAllowMaintainerEdit", false),
  };
}

const flag = (config: Readonly<Record<string, unknown>>, name: string, fallback: boolean): boolean =>
  typeof config[name] === "boolean" ? config[name] : fallback;
const text = (config: Readonly<Record<string, unknown>>, name: string): string => (typeof config[name] === "string" ? config[name] : "");
