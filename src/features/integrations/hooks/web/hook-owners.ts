import type { UserActor } from "../../../../access/actor.ts";
import { type SettingsOwner, settingsOwners } from "../../../../access/settings-owner.ts";
import type { Page } from "../../../../core/paging.ts";
import type { Db } from "../../../../db/db.ts";
import { type Access, organization, repository, type Scope, type SubjectsOf, signedIn, siteAdmin } from "../../../../http/access.ts";
import type { RawReply } from "../../../../http/answers.ts";
import { type PageRequest, pageReader } from "../../../../http/page-reader.ts";
import { organizationPath, settingsPath } from "../../../../ui/addresses.ts";
import type { Html } from "../../../../ui/html.ts";
import { renderAccountSettings, renderAdministration, renderOrganizationSettings, renderRepositorySettings } from "../../../../ui/settings.tsx";
import { repositoryHeader } from "../../../repositories/repos/header.ts";
import { getRepository } from "../../../repositories/repos/service/loaders.ts";

/** A request for a webhook page, for any owner. */
export interface HookRequest extends PageRequest {
  readonly actor: UserActor;
  readonly page: Page;
}

/** Webhook pages, defined once for each kind of owner and shown in its settings. */
export interface HookPages<A extends Access> {
  /** Prefix of the route names. */
  readonly id: "Repository" | "Organization" | "User" | "Server";
  readonly path: string;
  readonly tag: string;
  readonly of: string;
  readonly access: A;
  readonly scope: Scope;
  readonly refusesPublicOnly: boolean;
  readonly subjects: (request: SubjectsOf<A>) => HookOwnerPages;
}

/** The owner in one request. */
export interface HookOwnerPages {
  readonly actor: UserActor;
  readonly owner: SettingsOwner;
  /** Path of the list. */
  readonly path: string;
  readonly frame: (deps: { readonly db: Db }, request: HookRequest, content: readonly Html[]) => Promise<RawReply>;
}

const declarePages = <const A extends Access>(declared: HookPages<A>): HookPages<A> => declared;

export const repositoryHookPages = declarePages({
  ...settingsOwners.repository,
  id: "Repository",
  path: "/{owner}/{repo}/settings/hooks",
  access: repository.admin(),
  subjects: (given) => ({
    ...settingsOwners.repository.subjects(given),
    path: settingsPath(given.repository, "/hooks"),
    frame: async ({ db }, request, content) => {
      const view = await getRepository({ db }, given.actor, given.repository.id);
      return renderRepositorySettings({ ...pageReader(request), repository: repositoryHeader(view), section: "hooks" }, content);
    },
  }),
});

export const organizationHookPages = declarePages({
  ...settingsOwners.organization,
  id: "Organization",
  path: "/org/{org}/settings/hooks",
  access: organization.owner,
  subjects: (given) => ({
    ...settingsOwners.organization.subjects(given),
    path: organizationPath(given.organization.name, "/settings/hooks"),
    frame: async (_, request, content) => renderOrganizationSettings({ ...pageReader(request), organization: given.organization, section: "hooks" }, content),
  }),
});

export const userHookPages = declarePages({
  ...settingsOwners.user,
  id: "User",
  path: "/user/settings/hooks",
  access: signedIn,
  subjects: (given) => ({
    ...settingsOwners.user.subjects(given),
    path: "/user/settings/hooks",
    frame: async (_, request, content) => renderAccountSettings({ ...pageReader(request), section: "hooks" }, content),
  }),
});

export const serverHookPages = declarePages({
  ...settingsOwners.server,
  id: "Server",
  path: "/-/admin/hooks",
  access: siteAdmin,
  subjects: (given) => ({
    ...settingsOwners.server.subjects(given),
    path: "/-/admin/hooks",
    frame: async (_, request, content) => renderAdministration({ ...pageReader(request), section: "hooks" }, content),
  }),
});
