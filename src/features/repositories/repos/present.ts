import { type Actor, anonymous } from "../../../access/actor.ts";
import { atLeast } from "../../../access/repository.ts";
import { formatDuration } from "../../../core/duration.ts";
import { epochTime, formatTime, zeroTime } from "../../../core/time.ts";
import type { Urls } from "../../../core/urls.ts";
import { wholeText } from "../../../core/whole-text.ts";
import type { ExternalTracker, InternalTracker, ParentRepository, Permission, Repository, RepoTransfer } from "../../../wire/repository.ts";
import type { TopicResponse } from "../../../wire/topic.ts";
import type { User } from "../../../wire/user.ts";
import type { UserView } from "../../accounts/users/model.ts";
import { avatarUrl, presentOwner, presentUser } from "../../accounts/users/present.ts";
import { presentTeam } from "../../organizations/orgs/present.ts";
import type { RepositoryView, TopicView, TransferView } from "./model.ts";
import type { RepositorySettings } from "./settings.ts";

/** A repository as seen by its viewer. */
export const presentRepository = (view: RepositoryView, viewer: Actor, urls: Urls): Repository =>
  presentWith(view, (owner) => presentOwner(owner, viewer, urls), urls);

/** @compat the response to a fork or a copy of a template does not count the watch of its creator (forks/api.test.ts, template-repos/api.test.ts) */
export const presentNewCopy = (view: RepositoryView, viewer: Actor, urls: Urls): Repository => ({
  ...presentRepository(view, viewer, urls),
  watchers_count: 0,
});

/** A list of repositories; each owner is presented once. */
export function presentRepositories(views: readonly RepositoryView[], viewer: Actor, urls: Urls): Repository[] {
  const owners = new Map<number, User>();
  const ownerOf = (owner: UserView): User => {
    const shown = owners.get(owner.id) ?? presentOwner(owner, viewer, urls);
    owners.set(owner.id, shown);
    return shown;
  };
  return views.map((view) => presentWith(view, ownerOf, urls));
}

type OwnerOf = (owner: UserView) => User;

/** All members of a record. JSON leaves out those that are undefined. */
type Complete<T> = { readonly [Name in keyof Required<T>]: T[Name] };

function presentWith(view: RepositoryView, ownerOf: OwnerOf, urls: Urls): Repository {
  const permissions = presentPermission(view);
  // @compat the parent has the permissions on the fork (forks/api.test.ts)
  const parent = view.parent && presentOne(view.parent, { ownerOf, urls, permissions, parent: undefined });
  return presentOne(view, { ownerOf, urls, permissions, parent });
}

interface PresentedBeside {
  readonly ownerOf: OwnerOf;
  readonly urls: Urls;
  readonly permissions: Permission;
  readonly parent: ParentRepository | undefined;
}

/** One literal: a list of repositories that are put together from parts takes ten times as long to make. */
function presentOne(view: RepositoryView, { ownerOf, urls, permissions, parent }: PresentedBeside): Repository {
  const { owner, name, settings } = view;
  const path = wholeText(owner.name, "/", name);
  const rules = settings.hasPullRequests ? settings : withoutPullRequests;
  const presented: Complete<Repository> = {
    id: view.id,
    owner: ownerOf(owner),
    name,
    full_name: path,
    description: view.description,
    empty: view.isEmpty,
    private: view.isPrivate,
    fork: view.isFork,
    template: view.isTemplate,
    parent,
    mirror: view.isMirror,
    size: Math.ceil(view.sizeBytes / 1024),
    language: view.language,
    languages_url: urls.api("repos", path, "languages"),
    html_url: urls.web(path),
    url: urls.api("repos", path),
    link: "",
    ssh_url: urls.ssh(owner.name, name),
    clone_url: urls.web(wholeText(path, ".git")),
    original_url: view.originalUrl,
    website: view.website,
    stars_count: view.starsCount,
    forks_count: view.forksCount,
    watchers_count: view.watchersCount,
    branch_count: view.branchesCount,
    open_issues_count: view.openIssuesCount,
    open_pr_counter: view.openPullsCount,
    release_counter: view.releasesCount,
    default_branch: view.defaultBranch,
    default_target_branch: undefined,
    archived: view.isArchived,
    created_at: formatTime(view.createdMs),
    updated_at: formatTime(view.updatedMs),
    archived_at: view.archivedMs === 0 ? epochTime : formatTime(view.archivedMs),
    permissions,
    has_code: settings.hasCode,
    has_issues: settings.hasIssues,
    internal_tracker: settings.hasIssues && settings.externalTracker === null ? presentInternalTracker(settings.internalTracker) : undefined,
    external_tracker: settings.hasIssues && settings.externalTracker !== null ? presentExternalTracker(settings.externalTracker) : undefined,
    has_wiki: settings.hasWiki,
    external_wiki: settings.hasWiki && settings.externalWikiUrl !== null ? { external_wiki_url: settings.externalWikiUrl } : undefined,
    has_pull_requests: settings.hasPullRequests,
    has_projects: settings.hasProjects,
    projects_mode: settings.projectsMode,
    has_releases: settings.hasReleases,
    has_packages: settings.hasPackages,
    has_actions: settings.hasActions,
    ignore_whitespace_conflicts: rules.ignoreWhitespaceConflicts,
    allow_merge_commits: rules.allowMergeCommits,
    allow_rebase: rules.allowRebase,
    allow_rebase_explicit: rules.allowRebaseExplicit,
    allow_squash_merge: rules.allowSquashMerge,
    allow_fast_forward_only_merge: rules.allowFastForwardOnlyMerge,
    allow_rebase_update: rules.allowRebaseUpdate,
    allow_manual_merge: rules.allowManualMerge,
    autodetect_manual_merge: rules.autodetectManualMerge,
    default_delete_branch_after_merge: rules.defaultDeleteBranchAfterMerge,
    default_merge_style: rules.defaultMergeStyle,
    default_allow_maintainer_edit: rules.defaultAllowMaintainerEdit,
    avatar_url: view.avatar === "" ? "" : urls.web("repo-avatars", view.avatar),
    internal: !view.isPrivate && owner.visibility !== "public",
    mirror_interval: view.mirror === undefined ? "" : formatDuration(view.mirror.intervalMs),
    object_format_name: view.objectFormat,
    mirror_updated: view.mirror === undefined ? zeroTime : formatTime(view.mirror.syncedMs),
    topics: view.topics,
    licenses: view.licenses,
    repo_transfer: view.transfer && presentTransfer(view.transfer, urls),
  };
  return presented as Repository;
}

const presentTransfer = ({ doer, recipient, teams }: TransferView, urls: Urls): RepoTransfer => ({
  doer: doer && presentUser(doer, anonymous, urls),
  recipient: recipient && presentUser(recipient, anonymous, urls),
  teams: teams.map(presentTeam),
});

/** @compat administrators have push and pull permission regardless of the enabled units (repos/api/edit.test.ts) */
function presentPermission({ right }: RepositoryView): Permission {
  const admin = atLeast(right.mode, "admin");
  const code = right.unit("repo.code");
  return { admin, push: admin || atLeast(code, "write"), pull: admin || atLeast(code, "read") };
}

const presentInternalTracker = (tracker: RepositorySettings["internalTracker"]): InternalTracker => ({
  enable_time_tracker: tracker.enableTimeTracker,
  allow_only_contributors_to_track_time: tracker.allowOnlyContributorsToTrackTime,
  enable_issue_dependencies: tracker.enableIssueDependencies,
});

const presentExternalTracker = ({ url, format, style, regexpPattern }: NonNullable<RepositorySettings["externalTracker"]>): ExternalTracker => ({
  external_tracker_url: url,
  external_tracker_format: format,
  external_tracker_style: style,
  external_tracker_regexp_pattern: regexpPattern,
});

/** @compat if pull requests are disabled, the only permitted merge style is marking as manually merged (repos/api/edit.test.ts) */
const withoutPullRequests = {
  ignoreWhitespaceConflicts: false,
  allowMergeCommits: false,
  allowRebase: false,
  allowRebaseExplicit: false,
  allowSquashMerge: false,
  allowFastForwardOnlyMerge: false,
  allowRebaseUpdate: false,
  allowManualMerge: true,
  autodetectManualMerge: false,
  defaultDeleteBranchAfterMerge: false,
  defaultMergeStyle: "merge",
  defaultAllowMaintainerEdit: false,
} as const satisfies Partial<RepositorySettings>;

export const presentTopic = (topic: TopicView): TopicResponse => ({
  id: topic.id,
  topic_name: topic.name,
  repo_count: topic.repoCount,
  created: formatTime(topic.createdMs),
  updated: formatTime(topic.updatedMs),
});

/** Address of the picture in link previews of a repository and its pages: its own, its avatar, or the avatar of its owner. */
export function previewUrl({ preview, avatar, owner }: Pick<RepositoryView, "preview" | "avatar" | "owner">, urls: Urls): string {
  const picture = preview || avatar;
  return picture === "" ? avatarUrl(owner, urls) : urls.web("repo-avatars", picture);
}

/** The link preview of a text in a repository. */
export const articleCard = (view: RepositoryView, urls: Urls, path: string, description: string) =>
  ({ kind: "article", description, url: urls.origin + path, imageUrl: previewUrl(view, urls) }) as const;
