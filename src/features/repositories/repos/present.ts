import { type Actor, anonymous } from "../../../access/actor.ts";
import { atLeast } from "../../../access/repository.ts";
import { formatDuration } from "../../../core/duration.ts";
import { epochTime, formatTime, zeroTime } from "../../../core/time.ts";
import type { Urls } from "../../../core/urls.ts";
import type { ParentRepository, Permission, Repository, RepoTransfer } from "../../../wire/repository.ts";
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

/** A list of repositories; the JSON of each owner is built once. */
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

const presentWith = (view: RepositoryView, ownerOf: OwnerOf, urls: Urls): Repository => ({
  ...presentHead(view, ownerOf),
  // @compat the parent has the permissions on the fork (forks/api.test.ts)
  ...(view.parent && { parent: { ...presentParent(view.parent, ownerOf, urls), permissions: presentPermission(view) } }),
  ...presentRest(view, urls),
});

const presentParent = (view: RepositoryView, ownerOf: OwnerOf, urls: Urls): ParentRepository => ({ ...presentHead(view, ownerOf), ...presentRest(view, urls) });

const presentHead = (view: RepositoryView, ownerOf: OwnerOf) => ({
  id: view.id,
  owner: ownerOf(view.owner),
  name: view.name,
  full_name: `${view.owner.name}/${view.name}`,
  description: view.description,
  empty: view.isEmpty,
  private: view.isPrivate,
  fork: view.isFork,
  template: view.isTemplate,
});

function presentRest(view: RepositoryView, urls: Urls) {
  const { owner, name, settings } = view;
  const address = urls.web(owner.name, name);
  const apiAddress = urls.api("repos", owner.name, name);
  return {
    mirror: view.isMirror,
    size: Math.ceil(view.sizeBytes / 1024),
    language: view.language,
    languages_url: `${apiAddress}/languages`,
    html_url: address,
    url: apiAddress,
    link: "",
    ssh_url: urls.ssh(owner.name, name),
    clone_url: `${address}.git`,
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
    archived: view.isArchived,
    created_at: formatTime(view.createdMs),
    updated_at: formatTime(view.updatedMs),
    archived_at: view.archivedMs === 0 ? epochTime : formatTime(view.archivedMs),
    permissions: presentPermission(view),
    ...presentUnits(settings),
    ...presentMergeRules(settings),
    avatar_url: view.avatar === "" ? "" : urls.web("repo-avatars", view.avatar),
    internal: !view.isPrivate && owner.visibility !== "public",
    mirror_interval: view.mirror === undefined ? "" : formatDuration(view.mirror.intervalMs),
    object_format_name: view.objectFormat,
    mirror_updated: view.mirror === undefined ? zeroTime : formatTime(view.mirror.syncedMs),
    topics: view.topics,
    licenses: view.licenses,
    ...(view.transfer && { repo_transfer: presentTransfer(view.transfer, urls) }),
  };
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

const presentUnits = (settings: RepositorySettings) => ({
  has_code: settings.hasCode,
  has_issues: settings.hasIssues,
  ...(settings.hasIssues && presentTracker(settings)),
  has_wiki: settings.hasWiki,
  ...(settings.hasWiki && settings.externalWikiUrl !== null && { external_wiki: { external_wiki_url: settings.externalWikiUrl } }),
  has_pull_requests: settings.hasPullRequests,
  has_projects: settings.hasProjects,
  projects_mode: settings.projectsMode,
  has_releases: settings.hasReleases,
  has_packages: settings.hasPackages,
  has_actions: settings.hasActions,
});

const presentTracker = ({ internalTracker, externalTracker }: RepositorySettings) =>
  externalTracker === null
    ? {
        internal_tracker: {
          enable_time_tracker: internalTracker.enableTimeTracker,
          allow_only_contributors_to_track_time: internalTracker.allowOnlyContributorsToTrackTime,
          enable_issue_dependencies: internalTracker.enableIssueDependencies,
        },
      }
    : {
        external_tracker: {
          external_tracker_url: externalTracker.url,
          external_tracker_format: externalTracker.format,
          external_tracker_style: externalTracker.style,
          external_tracker_regexp_pattern: externalTracker.regexpPattern,
        },
      };

/** @compat if pull requests are disabled, the only permitted merge style is marking as manually merged (repos/api/edit.test.ts) */
const presentMergeRules = (settings: RepositorySettings) =>
  settings.hasPullRequests
    ? {
        ignore_whitespace_conflicts: settings.ignoreWhitespaceConflicts,
        allow_merge_commits: settings.allowMergeCommits,
        allow_rebase: settings.allowRebase,
        allow_rebase_explicit: settings.allowRebaseExplicit,
        allow_squash_merge: settings.allowSquashMerge,
        allow_fast_forward_only_merge: settings.allowFastForwardOnlyMerge,
        allow_rebase_update: settings.allowRebaseUpdate,
        allow_manual_merge: settings.allowManualMerge,
        autodetect_manual_merge: settings.autodetectManualMerge,
        default_delete_branch_after_merge: settings.defaultDeleteBranchAfterMerge,
        default_merge_style: settings.defaultMergeStyle,
        default_allow_maintainer_edit: settings.defaultAllowMaintainerEdit,
      }
    : {
        ignore_whitespace_conflicts: false,
        allow_merge_commits: false,
        allow_rebase: false,
        allow_rebase_explicit: false,
        allow_squash_merge: false,
        allow_fast_forward_only_merge: false,
        allow_rebase_update: false,
        allow_manual_merge: true,
        autodetect_manual_merge: false,
        default_delete_branch_after_merge: false,
        default_merge_style: "merge" as const,
        default_allow_maintainer_edit: false,
      };

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
