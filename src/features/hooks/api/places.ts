import type { UserActor } from "../../../access/actor.ts";
import { readId } from "../../../core/ids.ts";
import { type Access, organization, repository, type Scope, type SubjectsOf, signedIn, siteAdmin } from "../../../http/access.ts";
import type { HookOwner } from "../view.ts";

/** Where webhooks stand in the interface: the same routes four times over, for four kinds of owners. */
export interface HookPlace<A extends Access> {
  /** Begins the names of its operations. */
  readonly id: "repo" | "org" | "user" | "admin";
  readonly path: string;
  readonly tag: string;
  /** For summaries: `a webhook of ...`. */
  readonly of: string;
  readonly access: A;
  readonly scope: Scope;
  readonly refusesPublicOnly: boolean;
  readonly refusals: Readonly<Record<number, string>>;
  readonly subjects: (request: SubjectsOf<A>) => { readonly actor: UserActor; readonly owner: HookOwner };
}

const place = <const A extends Access>(declared: HookPlace<A>): HookPlace<A> => declared;

export const repositoryHooks = place({
  id: "repo",
  path: "/repos/{owner}/{repo}/hooks",
  tag: "repository",
  of: "a repository",
  access: repository.admin(),
  scope: "repository",
  refusesPublicOnly: false,
  refusals: { 404: "notFound" },
  subjects: ({ actor, repository }) => ({ actor, owner: { scope: "repository", repoId: repository.id, fullName: repository.fullName } }),
});

export const organizationHooks = place({
  id: "org",
  path: "/orgs/{org}/hooks",
  tag: "organization",
  of: "an organization",
  access: organization.owner,
  scope: "organization",
  refusesPublicOnly: false,
  refusals: { 404: "notFound" },
  subjects: ({ actor, organization }) => ({ actor, owner: { scope: "owner", ownerId: organization.id, name: organization.name } }),
});

export const userHooks = place({
  id: "user",
  path: "/user/hooks",
  tag: "user",
  of: "the caller",
  access: signedIn,
  scope: "user",
  refusesPublicOnly: true,
  refusals: {},
  subjects: ({ actor }) => ({ actor, owner: { scope: "owner", ownerId: actor.id, name: actor.name } }),
});

export const serverHooks = place({
  id: "admin",
  path: "/admin/hooks",
  tag: "admin",
  of: "the server",
  access: siteAdmin,
  scope: "admin",
  refusesPublicOnly: false,
  refusals: {},
  subjects: ({ actor }) => ({ actor, owner: { scope: "server" } }),
});

/** What all routes of a place declare. */
export const common = <A extends Access>({ tag, access, scope, refusesPublicOnly, refusals }: HookPlace<A>) => ({
  tag,
  access,
  scope,
  refusesPublicOnly,
  refusals,
});

/** The number in a path of which only the beginning differs. */
export const hookIdOf = (params: object): number => readId((params as { readonly id?: string }).id ?? "");
