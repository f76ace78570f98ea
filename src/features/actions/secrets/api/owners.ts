import type { UserActor } from "../../../../access/actor.ts";
import { type SettingsOwner, settingsOwners } from "../../../../access/settings-owner.ts";
import { type Access, organization, repository, type Scope, type SubjectsOf, signedIn } from "../../../../http/access.ts";

/** The routes of secrets and variables, defined once for three kinds of owners. */
export interface OwnerRoutes<A extends Access> {
  /** In the operation ids: `updateRepoSecret`. */
  readonly id: "Repo" | "Org" | "User";
  readonly path: string;
  readonly tag: string;
  readonly of: string;
  readonly access: A;
  readonly scope: Scope;
  readonly refusesPublicOnly: boolean;
  readonly subjects: (request: SubjectsOf<A>) => { readonly actor: UserActor; readonly owner: SettingsOwner };
}

const declare = <const A extends Access>(declared: OwnerRoutes<A>): OwnerRoutes<A> => declared;

export const ofRepository = declare({ ...settingsOwners.repository, id: "Repo", path: "/repos/{owner}/{repo}/actions", access: repository.owner() });
export const ofOrganization = declare({ ...settingsOwners.organization, id: "Org", path: "/orgs/{org}/actions", access: organization.owner });
export const ofUser = declare({ ...settingsOwners.user, id: "User", path: "/user/actions", access: signedIn });

/** The declarations that all routes of an owner share. */
export const common = <A extends Access>({ tag, access, scope, refusesPublicOnly }: OwnerRoutes<A>) => ({ tag, access, scope, refusesPublicOnly });

/** A name from paths that differ only in their prefix. */
export const nameIn = (params: object, parameter: "secretname" | "variablename"): string => (params as Readonly<Record<string, string>>)[parameter] ?? "";
