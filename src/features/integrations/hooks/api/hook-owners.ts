import type { UserActor } from "../../../../access/actor.ts";
import { type SettingsOwner, settingsOwners } from "../../../../access/settings-owner.ts";
import { readId } from "../../../../core/ids.ts";
import { type Access, organization, repository, type Scope, type SubjectsOf, signedIn, siteAdmin } from "../../../../http/access.ts";

/** The webhook routes of the API, defined once for four kinds of owners. */
export interface HookOwnerPages<A extends Access> {
  /** Prefix of the operation ids. */
  readonly id: "repo" | "org" | "user" | "admin";
  readonly path: string;
  readonly tag: string;
  /** For summaries: `a webhook of ...`. */
  readonly of: string;
  readonly access: A;
  readonly scope: Scope;
  readonly refusesPublicOnly: boolean;
  readonly refusals: Readonly<Record<number, string>>;
  readonly subjects: (request: SubjectsOf<A>) => { readonly actor: UserActor; readonly owner: SettingsOwner };
}

const declareOwner = <const A extends Access>(declared: HookOwnerPages<A>): HookOwnerPages<A> => declared;

export const repositoryHooks = declareOwner({
  ...settingsOwners.repository,
  id: "repo",
  path: "/repos/{owner}/{repo}/hooks",
  access: repository.admin(),
  refusals: { 404: "notFound" },
});

export const organizationHooks = declareOwner({
  ...settingsOwners.organization,
  id: "org",
  path: "/orgs/{org}/hooks",
  access: organization.owner,
  refusals: { 404: "notFound" },
});

export const userHooks = declareOwner({
  ...settingsOwners.user,
  id: "user",
  path: "/user/hooks",
  access: signedIn,
  refusals: {},
});

export const serverHooks = declareOwner({
  ...settingsOwners.server,
  id: "admin",
  path: "/admin/hooks",
  access: siteAdmin,
  refusals: {},
});

/** The declarations that all routes of an owner share. */
export const common = <A extends Access>({ tag, access, scope, refusesPublicOnly, refusals }: HookOwnerPages<A>) => ({
  tag,
  access,
  scope,
  refusesPublicOnly,
  refusals,
});

/** The id from paths that differ only in their prefix. */
export const hookIdOf = (params: object): number => readId((params as { readonly id?: string }).id ?? "");
