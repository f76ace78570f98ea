import type { Actor, UserActor } from "../access/actor.ts";
import type { Mode, Unit } from "../access/repository.ts";
import type { ScopeCategory } from "../access/scopes.ts";
import type { AccountSubject, OrganizationSubject, RepositorySubject, TeamSubject } from "../access/subjects.ts";

/**
 * The callers that may use a route: a required property of every route, checked before its handler runs.
 * The arguments of the handler follow from it (see {@link SubjectsOf}).
 */
export type Access =
  /** Any caller, signed in or not. */
  | { readonly kind: "anyone" }
  | { readonly kind: "user" }
  | { readonly kind: "site-admin" }
  /** `{username}` names an account that is visible to the caller. */
  | { readonly kind: "account"; readonly need: "visible" | "signed-in" | "self-or-admin" | "site-admin"; readonly asks?: SignInOrder }
  /** `{org}` names an organization that is visible to the caller. */
  | { readonly kind: "organization"; readonly need: "visible" | "signed-in" | "member" | "owner"; readonly asks?: SignInOrder }
  /** `{id}` is the id of a team in an organization that the caller belongs to. Owners of the organization have the rights of team members. */
  | { readonly kind: "team"; readonly need: "member" | "owner" }
  /** `{owner}/{repo}` names a repository that the caller can read. */
  | RepositoryAccess;

export interface RepositoryAccess {
  readonly kind: "repository";
  readonly need: RepositoryNeed;
  readonly signedIn: boolean;
  /** When anonymous callers get 401: before the repository is looked up, or before or after the caller's permission is checked. */
  readonly asks: SignInOrder;
  /** Archived repositories answer 423. */
  readonly writable: boolean;
}

/** @compat Routes check credentials at different points, so an anonymous caller gets 401, 403 or 404 (contract/access.test.ts). */
export type SignInOrder = "before-lookup" | "before-right" | "after-right";

export type RepositoryNeed =
  | { readonly right: "any" }
  /** `isForAdmins`: administrators of the repository may use it although the unit is switched off. */
  | { readonly right: "read" | "write"; readonly unit: Unit; readonly isForAdmins?: true }
  /** Write access to at least one of several units. */
  | { readonly right: "write-any"; readonly units: readonly Unit[] }
  /** Permission to change files: write access to code in a repository that is neither archived nor a mirror. */
  | { readonly right: "edit" }
  | { readonly right: "admin" }
  | { readonly right: "owner" };

export const anyone = { kind: "anyone" } as const satisfies Access;
export const signedIn = { kind: "user" } as const satisfies Access;
export const siteAdmin = { kind: "site-admin" } as const satisfies Access;

export const account = {
  visible: { kind: "account", need: "visible" },
  signedIn: { kind: "account", need: "signed-in" },
  /** Like `signedIn`, but anonymous callers get 401 for unknown names as well. */
  signedInFirst: { kind: "account", need: "signed-in", asks: "before-lookup" },
  selfOrAdmin: { kind: "account", need: "self-or-admin" },
  siteAdmin: { kind: "account", need: "site-admin" },
} as const satisfies Record<string, Access>;

export const organization = {
  visible: { kind: "organization", need: "visible" },
  signedIn: { kind: "organization", need: "signed-in" },
  /** Like `signedIn`, but anonymous callers get 401 for unknown names as well. */
  signedInFirst: { kind: "organization", need: "signed-in", asks: "before-lookup" },
  member: { kind: "organization", need: "member" },
  owner: { kind: "organization", need: "owner" },
} as const satisfies Record<string, Access>;

export const team = {
  member: { kind: "team", need: "member" },
  owner: { kind: "team", need: "owner" },
} as const satisfies Record<string, Access>;

interface RepositoryOptions {
  /** `refused` answers 423 for an archived repository. */
  readonly archived?: "refused" | "allowed";
  /** Default: `before-right`. */
  readonly asks?: SignInOrder;
}

const repositoryAccess = <S extends boolean>(need: RepositoryNeed, isSignedIn: S, { archived, asks = "before-right" }: RepositoryOptions = {}) =>
  ({ kind: "repository", need, signedIn: isSignedIn, asks, writable: archived === "refused" }) as const;

export const repository = {
  /** Any permission on the repository, including read access of the public. */
  visible: repositoryAccess({ right: "any" }, false),
  /** Like `visible`, for signed-in callers. */
  signedIn: (options?: RepositoryOptions) => repositoryAccess({ right: "any" }, true, options),
  reader: (unit: Unit) => repositoryAccess({ right: "read", unit }, false),
  writer: (unit: Unit, options?: RepositoryOptions) => repositoryAccess({ right: "write", unit }, true, options),
  writerOfAny: (units: readonly Unit[], options?: RepositoryOptions) => repositoryAccess({ right: "write-any", units }, true, options),
  editor: repositoryAccess({ right: "edit" }, true),
  admin: (options?: RepositoryOptions) => repositoryAccess({ right: "admin" }, true, options),
  owner: (options?: RepositoryOptions) => repositoryAccess({ right: "owner" }, true, options),
};

/** The arguments that an access declaration provides to the handler. */
export type SubjectsOf<A extends Access> = A extends { kind: "anyone" }
  ? { readonly actor: Actor }
  : A extends { kind: "user" | "site-admin" }
    ? { readonly actor: UserActor }
    : A extends { kind: "account"; need: infer N }
      ? { readonly actor: N extends "visible" ? Actor : UserActor; readonly account: AccountSubject }
      : A extends { kind: "organization"; need: infer N }
        ? { readonly actor: N extends "visible" ? Actor : UserActor; readonly organization: OrganizationSubject }
        : A extends { kind: "team" }
          ? { readonly actor: UserActor; readonly team: TeamSubject }
          : A extends { kind: "repository"; signedIn: infer S }
            ? { readonly actor: S extends true ? UserActor : Actor; readonly repository: RepositorySubject }
            : never;

/** Token scopes required by a route: all listed categories. `none` accepts any token. */
export type Scope = "none" | ScopeCategory | readonly ScopeCategory[];

/**
 * @compat Messages of Gitea's access checks, which clients display and match (users/api.test.ts, teams/api/teams.test.ts,
 * labels/api.test.ts, contents/change.test.ts, avatars/api/avatars.test.ts, transfers/api.test.ts, releases/api.test.ts).
 */
export const guardMessages: Record<
  Exclude<Mode, "none"> | "any" | "edit" | "unit-read" | "site-admin" | "self-or-admin" | "org-owner" | "org-member" | "team-member",
  string
> = {
  any: "user should have any permission to read repository or permissions of site admin",
  "unit-read": "user should have specific read permission or be a repo admin or a site admin",
  read: "user should have specific read permission or be a repo admin or a site admin",
  write: "user should have a permission to write to a repo",
  edit: "user should have a permission to write to the target branch",
  admin: "user should be an owner or a collaborator with admin write of a repository",
  owner: "user should be the owner of the repo",
  "site-admin": "user should be the site admin",
  "self-or-admin": "doer should be the site admin or be same as the contextUser",
  "org-owner": "Must be an organization owner",
  "org-member": "Must be an organization member",
  "team-member": "Must be a team member",
};
