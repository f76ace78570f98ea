import { LRUCache } from "lru-cache";
import type { Unit } from "../../../access/repository.ts";
import type { Config } from "../../../config/config.ts";

export type MergeStyle = "merge" | "rebase" | "rebase-merge" | "squash" | "fast-forward-only" | "manually-merged";

/** The units and merge settings of a repository, stored as one complete JSON object. */
export interface RepositorySettings {
  readonly hasCode: boolean;
  readonly hasIssues: boolean;
  readonly internalTracker: {
    readonly enableTimeTracker: boolean;
    readonly allowOnlyContributorsToTrackTime: boolean;
    readonly enableIssueDependencies: boolean;
  };
  /** Set if issues are in an external tracker. */
  readonly externalTracker: { readonly url: string; readonly format: string; readonly style: string; readonly regexpPattern: string } | null;
  readonly hasWiki: boolean;
  /** Set if the wiki is external. */
  readonly externalWikiUrl: string | null;
  readonly hasPullRequests: boolean;
  readonly hasProjects: boolean;
  readonly projectsMode: "all" | "repo" | "owner";
  readonly hasReleases: boolean;
  readonly hasPackages: boolean;
  readonly hasActions: boolean;
  readonly ignoreWhitespaceConflicts: boolean;
  readonly allowMergeCommits: boolean;
  readonly allowRebase: boolean;
  readonly allowRebaseExplicit: boolean;
  readonly allowSquashMerge: boolean;
  readonly allowFastForwardOnlyMerge: boolean;
  readonly allowRebaseUpdate: boolean;
  readonly allowManualMerge: boolean;
  readonly autodetectManualMerge: boolean;
  readonly defaultDeleteBranchAfterMerge: boolean;
  readonly defaultMergeStyle: MergeStyle;
  readonly defaultAllowMaintainerEdit: boolean;
}

export const defaultSettings: RepositorySettings = {
  hasCode: true,
  hasIssues: true,
  internalTracker: { enableTimeTracker: true, allowOnlyContributorsToTrackTime: true, enableIssueDependencies: true },
  externalTracker: null,
  hasWiki: true,
  externalWikiUrl: null,
  hasPullRequests: true,
  hasProjects: true,
  projectsMode: "all",
  hasReleases: true,
  hasPackages: true,
  hasActions: false,
  ignoreWhitespaceConflicts: false,
  allowMergeCommits: true,
  allowRebase: true,
  allowRebaseExplicit: true,
  allowSquashMerge: true,
  allowFastForwardOnlyMerge: true,
  allowRebaseUpdate: true,
  allowManualMerge: false,
  autodetectManualMerge: false,
  defaultDeleteBranchAfterMerge: false,
  defaultMergeStyle: "merge",
  defaultAllowMaintainerEdit: true,
};

/** The settings of a new repository that is not a fork. */
export const newSettings = ({ actions }: Pick<Config, "actions">): RepositorySettings => ({ ...defaultSettings, hasActions: actions.in_new_repositories });

/** Most repositories share a few settings, and parsing is a considerable part of the cost of showing a repository. */
const known = new LRUCache<string, RepositorySettings>({ max: 500 });

/** Parses stored settings; settings added later get their defaults. */
export function parseSettings(text: string): RepositorySettings {
  const present = known.get(text);
  if (present !== undefined) return present;
  const settings = { ...defaultSettings, ...(JSON.parse(text) as Partial<RepositorySettings>) };
  known.set(text, settings);
  return settings;
}

/** They are read for each repository of a list. */
const unitsOf = new WeakMap<RepositorySettings, ReadonlySet<Unit>>();

export function enabledUnits(settings: RepositorySettings): ReadonlySet<Unit> {
  const present = unitsOf.get(settings);
  if (present !== undefined) return present;
  const units = readUnits(settings);
  unitsOf.set(settings, units);
  return units;
}

function readUnits(settings: RepositorySettings): ReadonlySet<Unit> {
  const units = new Set<Unit>();
  if (settings.hasCode) units.add("repo.code");
  if (settings.hasIssues) units.add(settings.externalTracker === null ? "repo.issues" : "repo.ext_issues");
  if (settings.hasWiki) units.add(settings.externalWikiUrl === null ? "repo.wiki" : "repo.ext_wiki");
  if (settings.hasPullRequests) units.add("repo.pulls");
  if (settings.hasProjects) units.add("repo.projects");
  if (settings.hasReleases) units.add("repo.releases");
  if (settings.hasPackages) units.add("repo.packages");
  if (settings.hasActions) units.add("repo.actions");
  return units;
}
