import type { Static } from "typebox";
import type { UserActor } from "../../../../access/actor.ts";
import { atLeast } from "../../../../access/repository.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Config } from "../../../../config/config.ts";
import { invalid } from "../../../../core/errors.ts";
import { lengths } from "../../../../core/lengths.ts";
import { repository } from "../../../../http/access.ts";
import type { RawReply } from "../../../../http/answers.ts";
import { Confirmation, type RefusedName, submitConfirmed } from "../../../../http/confirmation.ts";
import { readOption, savedAt, seeOther, submit } from "../../../../http/form-submit.ts";
import { pageReader } from "../../../../http/page-reader.ts";
import { type Refused, repositorySettingsPage, type SettingsRequest } from "../../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../../http/session-cookie.ts";
import { accountPath, settingsPath, withQuery } from "../../../../ui/addresses.ts";
import { renderRepositoryPage } from "../../../../ui/repository-page.tsx";
import { accountPaths, renderRepositorySettings } from "../../../../ui/settings.tsx";
import { textsFor } from "../../../../ui/texts/texts.ts";
import { EditRepoOption } from "../../../../wire/repository-options.ts";
import { bool, inPlace, text } from "../../../../wire/schema.ts";
import { branchPrefix } from "../../refs/model.ts";
import { findRef } from "../../refs/service/read.ts";
import { repositoryHeader } from "../header.ts";
import type { RepositoryView } from "../model.ts";
import { deleteRepository } from "../service/delete.ts";
import { type EditDeps, editRepository, type RepositoryInput } from "../service/edit.ts";
import { getRepository } from "../service/loaders.ts";
import { restoresOwn } from "../service/restore.ts";
import { replaceTopics } from "../service/topics.ts";
import { repoSettingsTexts } from "../texts/texts.ts";
import { ConfirmedForm, type ConfirmedProps, DangerZone, GeneralForm, type GeneralValues, TopicsForm } from "../views/settings.tsx";

export interface RepositorySettingsDeps extends EditDeps {
  readonly config: EditDeps["config"] & Pick<Config, "repositories">;
}

/** An unchecked checkbox is false. */
const GeneralFields = inPlace({
  name: text(lengths.repositoryName),
  description: text(lengths.repositoryDescription),
  website: text(lengths.repositoryWebsite),
  default_branch: text(),
  template: bool(),
  has_code: bool(),
  has_pull_requests: bool(),
  has_releases: bool(),
  has_projects: bool(),
  has_packages: bool(),
  has_actions: bool(),
  issues: text(),
  enable_time_tracker: bool(),
  allow_only_contributors_to_track_time: bool(),
  enable_issue_dependencies: bool(),
  external_tracker_url: text(),
  external_tracker_format: text(),
  external_tracker_style: text(),
  external_tracker_regexp_pattern: text(),
  wiki: text(),
  external_wiki_url: text(),
  allow_merge_commits: bool(),
  allow_rebase: bool(),
  allow_rebase_explicit: bool(),
  allow_squash_merge: bool(),
  allow_fast_forward_only_merge: bool(),
  allow_manual_merge: bool(),
  autodetect_manual_merge: bool(),
  allow_rebase_update: bool(),
  default_delete_branch_after_merge: bool(),
  default_merge_style: text(),
  default_allow_maintainer_edit: bool(),
  ignore_whitespace_conflicts: bool(),
});
const NoFields = inPlace({});

const page = repositorySettingsPage;

/** The general settings pages, including archiving and deletion. */
export const repositorySettingsPages = (deps: RepositorySettingsDeps): Route[] => [
  defineRoute({
    ...page,
    id: "repositorySettingsPage",
    method: "GET",
    path: "/{owner}/{repo}/settings",
    summary: "The general settings of a repository",
    handle: (request) => generalPage(deps, request),
  }),
  defineRoute({
    ...page,
    id: "saveRepositorySettings",
    method: "POST",
    path: "/{owner}/{repo}/settings",
    summary: "Change the general settings of a repository",
    body: GeneralFields,
    handle: (request) => {
      const { actor, repository, body } = request;
      const save = async (): Promise<RawReply> => {
        await requireDefaultBranch(deps, repository, body.default_branch, textsFor(repoSettingsTexts, pageReader(request).languages).general.noSuchBranch);
        const { owner, name } = await editRepository(deps, actor, repository, readInput(body));
        return savedAt(settingsPath({ ownerName: owner.name, name }));
      };
      return submit(save, (problem) => generalPage(deps, request, { general: { values: body, problem } }), { fieldOf: { repository_exists: "name" } });
    },
  }),
  defineRoute({
    ...page,
    id: "saveRepositoryTopics",
    method: "POST",
    path: "/{owner}/{repo}/settings/topics",
    summary: "Replace the topics of a repository",
    body: inPlace({ topics: text() }),
    handle: (request) => {
      const { repository, body } = request;
      const save = async (): Promise<RawReply> => {
        await replaceTopics(deps, repository, body.topics.split(/[\s,]+/));
        return savedAt(settingsPath(repository));
      };
      return submit(save, (problem) => generalPage(deps, request, { topics: { values: body.topics, problem: { ...problem, field: "topics" } } }));
    },
  }),
  defineRoute({
    ...page,
    id: "archiveRepository",
    method: "POST",
    path: "/{owner}/{repo}/settings/archive",
    summary: "Archive a repository",
    body: NoFields,
    handle: ({ actor, repository }) => setArchived(deps, actor, repository, true),
  }),
  defineRoute({
    ...page,
    id: "unarchiveRepository",
    method: "POST",
    path: "/{owner}/{repo}/settings/unarchive",
    summary: "Unarchive a repository",
    body: NoFields,
    handle: ({ actor, repository }) => setArchived(deps, actor, repository, false),
  }),
  defineRoute({
    ...page,
    id: "visibilityPage",
    method: "GET",
    path: "/{owner}/{repo}/settings/visibility",
    summary: "The confirmation page for making a repository private or public",
    handle: (request) => visibilityPage(deps, request),
  }),
  defineRoute({
    ...page,
    id: "changeVisibility",
    method: "POST",
    path: "/{owner}/{repo}/settings/visibility",
    summary: "Make a repository private or public after its name was confirmed",
    body: inPlace({ confirmation: text(), private: bool() }),
    handle: (request) => {
      const { actor, repository, body } = request;
      const change = async (): Promise<RawReply> => {
        await editRepository(deps, actor, repository, { isPrivate: body.private });
        return savedAt(settingsPath(repository));
      };
      return submitConfirmed(request, repository.fullName, change, (refused) => visibilityPage(deps, request, refused));
    },
  }),
  defineRoute({
    ...page,
    access: repository.owner(),
    id: "deleteRepositoryPage",
    method: "GET",
    path: "/{owner}/{repo}/settings/delete",
    summary: "The confirmation page for deleting a repository",
    handle: (request) => deletePage(deps, request),
  }),
  defineRoute({
    ...page,
    access: repository.owner(),
    id: "deleteRepositoryByName",
    method: "POST",
    path: "/{owner}/{repo}/settings/delete",
    summary: "Delete a repository after its name was confirmed",
    body: Confirmation,
    handle: (request) => {
      const { actor, repository } = request;
      const end = async (): Promise<RawReply> => {
        await deleteRepository(deps, actor, repository);
        const isRestorable = await restoresOwn(deps, actor, repository.id);
        return seeOther(isRestorable ? withQuery(accountPaths.deleted, { deleted: repository.id }) : accountPath(repository.ownerName));
      };
      return submitConfirmed(request, repository.fullName, end, (refused) => deletePage(deps, request, refused));
    },
  }),
];

interface RefusedForms {
  readonly general?: Refused<GeneralValues>;
  readonly topics?: Refused<string>;
}

async function generalPage(deps: RepositorySettingsDeps, request: SettingsRequest, { general, topics }: RefusedForms = {}): Promise<RawReply> {
  const { actor, repository, session } = request;
  const view = await getRepository(deps, actor, repository.id);
  const formToken = formTokenOf(requireSession(session));
  const isOwner = atLeast(repository.right.mode, "owner");
  return renderRepositorySettings(
    { ...pageReader(request), repository: repositoryHeader(view), section: "general" },
    <GeneralForm repository={repository} values={general?.values ?? valuesOf(view)} problem={general?.problem} formToken={formToken} />,
    <TopicsForm repository={repository} topics={topics?.values ?? view.topics.join(" ")} problem={topics?.problem} formToken={formToken} />,
    <DangerZone repository={repository} isOwner={isOwner} keptDays={deps.config.repositories.keep_deleted_days} formToken={formToken} />,
  );
}

/** The API ignores an unknown branch; the page shows an error. */
async function requireDefaultBranch(deps: RepositorySettingsDeps, repository: RepositorySubject, name: string, message: string): Promise<void> {
  if (repository.isEmpty || name === repository.defaultBranch) return;
  if ((await findRef(deps.db, repository.codeStoreId, branchPrefix + name)) === undefined) throw invalid(`[DefaultBranch]: ${message}`);
}

function readInput(body: Static<typeof GeneralFields>): RepositoryInput {
  const { name, description, website } = readOption(EditRepoOption, { name: body.name.trim(), description: body.description, website: body.website.trim() });
  if (name === "") throw invalid("[Name]: Required", { reason: "required" });
  const isTrackedElsewhere = body.issues === "external";
  return {
    name,
    description,
    website,
    isTemplate: body.template,
    defaultBranch: body.default_branch.trim(),
    settings: {
      hasCode: body.has_code,
      hasIssues: body.issues !== "off",
      internalTracker: {
        enableTimeTracker: body.enable_time_tracker,
        allowOnlyContributorsToTrackTime: body.allow_only_contributors_to_track_time,
        enableIssueDependencies: body.enable_issue_dependencies,
      },
      externalTracker: isTrackedElsewhere
        ? {
            url: body.external_tracker_url.trim(),
            format: body.external_tracker_format.trim(),
            style: body.external_tracker_style,
            regexpPattern: body.external_tracker_regexp_pattern,
          }
        : null,
      hasWiki: body.wiki !== "off",
      externalWikiUrl: body.wiki === "external" ? body.external_wiki_url.trim() : null,
      hasPullRequests: body.has_pull_requests,
      hasProjects: body.has_projects,
      projectsMode: null,
      hasReleases: body.has_releases,
      hasPackages: body.has_packages,
      hasActions: body.has_actions,
      ignoreWhitespaceConflicts: body.ignore_whitespace_conflicts,
      allowMergeCommits: body.allow_merge_commits,
      allowRebase: body.allow_rebase,
      allowRebaseExplicit: body.allow_rebase_explicit,
      allowSquashMerge: body.allow_squash_merge,
      allowFastForwardOnlyMerge: body.allow_fast_forward_only_merge,
      allowRebaseUpdate: body.allow_rebase_update,
      allowManualMerge: body.allow_manual_merge,
      autodetectManualMerge: body.autodetect_manual_merge,
      defaultDeleteBranchAfterMerge: body.default_delete_branch_after_merge,
      defaultMergeStyle: body.default_merge_style,
      defaultAllowMaintainerEdit: body.default_allow_maintainer_edit,
    },
  };
}

function valuesOf({ settings, ...view }: RepositoryView): GeneralValues {
  const { internalTracker, externalTracker, externalWikiUrl } = settings;
  return {
    name: view.name,
    description: view.description,
    website: view.website,
    default_branch: view.defaultBranch,
    template: view.isTemplate,
    has_code: settings.hasCode,
    has_pull_requests: settings.hasPullRequests,
    has_releases: settings.hasReleases,
    has_projects: settings.hasProjects,
    has_packages: settings.hasPackages,
    has_actions: settings.hasActions,
    issues: !settings.hasIssues ? "off" : externalTracker === null ? "own" : "external",
    enable_time_tracker: internalTracker.enableTimeTracker,
    allow_only_contributors_to_track_time: internalTracker.allowOnlyContributorsToTrackTime,
    enable_issue_dependencies: internalTracker.enableIssueDependencies,
    external_tracker_url: externalTracker?.url ?? "",
    external_tracker_format: externalTracker?.format ?? "",
    external_tracker_style: externalTracker?.style ?? "",
    external_tracker_regexp_pattern: externalTracker?.regexpPattern ?? "",
    wiki: !settings.hasWiki ? "off" : externalWikiUrl === null ? "own" : "external",
    external_wiki_url: externalWikiUrl ?? "",
    allow_merge_commits: settings.allowMergeCommits,
    allow_rebase: settings.allowRebase,
    allow_rebase_explicit: settings.allowRebaseExplicit,
    allow_squash_merge: settings.allowSquashMerge,
    allow_fast_forward_only_merge: settings.allowFastForwardOnlyMerge,
    allow_manual_merge: settings.allowManualMerge,
    autodetect_manual_merge: settings.autodetectManualMerge,
    allow_rebase_update: settings.allowRebaseUpdate,
    default_delete_branch_after_merge: settings.defaultDeleteBranchAfterMerge,
    default_merge_style: settings.defaultMergeStyle,
    default_allow_maintainer_edit: settings.defaultAllowMaintainerEdit,
    ignore_whitespace_conflicts: settings.ignoreWhitespaceConflicts,
  };
}

async function setArchived(deps: EditDeps, actor: UserActor, repository: RepositorySubject, isArchived: boolean): Promise<RawReply> {
  await editRepository(deps, actor, repository, { isArchived });
  return savedAt(settingsPath(repository));
}

async function deletePage(deps: RepositorySettingsDeps, request: SettingsRequest, refused?: RefusedName) {
  const { repository } = request;
  const { danger } = textsFor(repoSettingsTexts, pageReader(request).languages);
  const warning = `${danger.deleteWarning(repository.fullName)} ${danger.deleteHint(deps.config.repositories.keep_deleted_days)}`;
  return confirmationPage(deps, request, { title: danger.deleteTitle, action: "/delete", warning, label: danger.delete, isDanger: true }, refused);
}

async function visibilityPage(deps: RepositorySettingsDeps, request: SettingsRequest, refused?: RefusedName) {
  const { repository } = request;
  const { danger } = textsFor(repoSettingsTexts, pageReader(request).languages);
  const [warning, label] = repository.isPrivate ? [danger.makePublicWarning, danger.makePublic] : [danger.makePrivateWarning, danger.makePrivate];
  const hidden = { private: String(!repository.isPrivate) };
  return confirmationPage(deps, request, { title: danger.visibility, action: "/visibility", warning, label, isDanger: true, hidden }, refused);
}

interface Confirmed extends Pick<ConfirmedProps, "warning" | "label" | "isDanger" | "hidden"> {
  readonly title: string;
  /** Below the settings of the repository. */
  readonly action: string;
}

/** The page on which users confirm an action with the name of the repository. */
async function confirmationPage(
  deps: Pick<RepositorySettingsDeps, "db">,
  request: SettingsRequest,
  { title, action, ...form }: Confirmed,
  refused?: RefusedName,
): Promise<RawReply> {
  const { actor, repository, session } = request;
  const props = { ...form, typed: "", ...refused, repository, action: settingsPath(repository, action), formToken: formTokenOf(requireSession(session)) };
  const header = repositoryHeader(await getRepository(deps, actor, repository.id));
  return renderRepositoryPage(
    { ...pageReader(request), repository: header, tab: "settings", title, heading: title, isNarrow: "form" },
    <ConfirmedForm {...props} />,
  );
}
