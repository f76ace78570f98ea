import type { ExternalTracker, InternalTracker } from "../../../../wire/repository.ts";
import type { CreateRepoOption, EditRepoOption } from "../../../../wire/repository-options.ts";
import type { NewRepository } from "../new-repository.ts";
import type { RepositoryInput } from "../service/edit.ts";
import type { RepositorySettings } from "../settings.ts";
import type { SettingsEdit } from "../settings-edit.ts";

export const readNewRepository = (option: CreateRepoOption): NewRepository => ({
  name: option.name,
  description: option.description,
  isPrivate: option.private,
  isTemplate: option.template,
  hasFirstCommit: option.auto_init,
  readme: option.readme,
  gitignores: option.gitignores,
  license: option.license,
  labels: option.issue_labels,
  defaultBranch: option.default_branch,
  trustModel: option.trust_model,
  objectFormat: option.object_format_name,
});

export const readEdit = (option: EditRepoOption): RepositoryInput => ({
  name: option.name,
  description: option.description,
  website: option.website,
  isPrivate: option.private,
  isTemplate: option.template,
  isArchived: option.archived,
  defaultBranch: option.default_branch,
  settings: readSettings(option),
  mirrorInterval: option.mirror_interval,
});

const readSettings = (option: EditRepoOption): SettingsEdit => ({
  hasCode: option.has_code,
  hasIssues: option.has_issues,
  internalTracker: option.internal_tracker && readInternalTracker(option.internal_tracker),
  externalTracker: option.external_tracker && readExternalTracker(option.external_tracker),
  hasWiki: option.has_wiki,
  externalWikiUrl: option.external_wiki?.external_wiki_url ?? null,
  hasPullRequests: option.has_pull_requests,
  hasProjects: option.has_projects,
  projectsMode: projectsModes.find((mode) => mode === option.projects_mode) ?? null,
  hasReleases: option.has_releases,
  hasPackages: option.has_packages,
  hasActions: option.has_actions,
  ignoreWhitespaceConflicts: option.ignore_whitespace_conflicts,
  allowMergeCommits: option.allow_merge_commits,
  allowRebase: option.allow_rebase,
  allowRebaseExplicit: option.allow_rebase_explicit,
  allowSquashMerge: option.allow_squash_merge,
  allowFastForwardOnlyMerge: option.allow_fast_forward_only_merge,
  allowRebaseUpdate: option.allow_rebase_update,
  allowManualMerge: option.allow_manual_merge,
  autodetectManualMerge: option.autodetect_manual_merge,
  defaultDeleteBranchAfterMerge: option.default_delete_branch_after_merge,
  defaultMergeStyle: option.default_merge_style,
  defaultAllowMaintainerEdit: option.default_allow_maintainer_edit,
});

const projectsModes: readonly RepositorySettings["projectsMode"][] = ["repo", "owner", "all"];

const readInternalTracker = (tracker: InternalTracker): RepositorySettings["internalTracker"] => ({
  enableTimeTracker: tracker.enable_time_tracker,
  allowOnlyContributorsToTrackTime: tracker.allow_only_contributors_to_track_time,
  enableIssueDependencies: tracker.enable_issue_dependencies,
});

const readExternalTracker = (tracker: ExternalTracker): NonNullable<RepositorySettings["externalTracker"]> => ({
  url: tracker.external_tracker_url,
  format: tracker.external_tracker_format,
  style: tracker.external_tracker_style,
  regexpPattern: tracker.external_tracker_regexp_pattern,
});
