import { type Actor, anonymous, isSelf, isSiteAdmin, isUser, jobOf, limitOf, type UserActor } from "../access/actor.ts";
import { atLeast, plannedUnits, type Unit, writesAny } from "../access/repository.ts";
import { allowsScope, type ScopeCategory, scopeNames } from "../access/scopes.ts";
import type { AccountSubject, OrganizationSubject, ReadAhead, RepositoryPath, RepositorySubject, TeamSubject } from "../access/subjects.ts";
import { type ForgeError, forbidden, locked, notFound, unauthenticated } from "../core/errors.ts";
import { guardMessages, type RepositoryAccess, type Scope } from "./access.ts";
import type { Presented } from "./credentials.ts";
import type { Identities, Subjects } from "./ports.ts";
import type { Route } from "./route.ts";

/** The resource has been renamed: the server redirects to its current name. */
export class Moved extends Error {
  /** Current values of the path parameters that changed. */
  readonly parameters: Readonly<Record<string, string>>;
  /** 301 for repositories, 307 for accounts. */
  readonly status: 301 | 307;

  constructor(parameters: Readonly<Record<string, string>>, status: 301 | 307) {
    super(`moved to ${Object.values(parameters).join("/")}`);
    this.parameters = parameters;
    this.status = status;
  }
}

/** @compat Messages for wrong credentials, for API clients (users/api.test.ts) and for git clients (users/api/two-factor.test.ts). */
const refusals = { api: "invalid username, password or token", root: "Failed to authenticate user" } as const;

/** @throws ForgeError `unauthenticated` for credentials that are present and wrong */
export async function authenticate(
  route: Pick<Route, "mount">,
  presented: Exclude<Presented, { readonly kind: "none" }>,
  identities: Identities,
  { remoteAddress, repository }: { readonly remoteAddress: string; readonly repository: RepositoryPath | undefined },
): Promise<{ readonly actor: Actor; readonly readAhead?: ReadAhead | undefined }> {
  let actor: UserActor | undefined;
  let readAhead: ReadAhead | undefined;
  if (presented.kind === "token") {
    const found = await identities.byToken(presented.token, { isBasic: presented.carrier === "basic", repository });
    actor = found?.actor;
    readAhead = found?.readAhead;
  }
  // Browsers keep the cookie of an expired session. It is treated as anonymous.
  else if (presented.kind === "session") actor = await identities.bySession(presented.secret);
  else if (presented.kind === "password") actor = await identities.byPassword({ ...presented, remoteAddress });
  if (actor === undefined && presented.kind === "session") return { actor: anonymous };
  if (actor === undefined) throw unauthenticated(refusals[route.mount]);
  return { actor: { ...actor, address: remoteAddress }, readAhead };
}

/**
 * Lets a site administrator act as another user with a token or password, but not through a browser session or an OAuth2 application. The
 * scopes of the administrator's credential still apply.
 */
export async function applySudo(actor: Actor, name: string, identities: Identities): Promise<Actor> {
  const isOwnCredential = isUser(actor) && (actor.credential.kind === "password" || actor.credential.kind === "token");
  if (!isOwnCredential || !isSiteAdmin(actor)) throw forbidden("Only administrators allowed to sudo.", { body: "message" });
  // No name has a character that a database cannot store.
  const target = name.includes("\0") ? undefined : await identities.bySudo(name, actor);
  if (target === undefined) throw notFound();
  const { credential, address } = actor;
  return { ...target, credential, ...(address !== undefined && { address }), impersonator: { id: actor.id, name: actor.name } };
}

/**
 * Groups of scope categories of a route, checked one after the other.
 * @compat A refusal names one group. `user` and `repository` form two groups, other combinations form one (http/server.test.ts).
 */
function scopeChecks(scope: Exclude<Scope, "none">): readonly (readonly ScopeCategory[])[] {
  const categories = [scope].flat();
  return categories.includes("user") && categories.includes("repository") ? categories.map((category) => [category]) : [categories];
}

/** @throws ForgeError `forbidden` when the token lacks a scope that the route declares; the message names the missing scope */
export function checkScope(route: Route, actor: Actor): void {
  if (!isUser(actor) || actor.credential.kind === "password") return;
  const { scopes } = actor.credential;
  if (route.scope !== "none") {
    const missing = scopeChecks(route.scope).find((categories) => !categories.every((category) => allowsScope(scopes, category, route.scopeLevel)));
    if (missing !== undefined) {
      const required = missing.map((category) => `${route.scopeLevel}:${category}`).join(" ");
      {
        const given = scopeNames(scopes).join(",");
        throw forbidden(`token does not have at least one of required scope(s), required=[${required}], token scope=${given}`, {
          reason: { code: "scope_missing", required, given },
        });
      }
    }
  }
  if (jobOf(actor) !== undefined && !isForJobs(route)) {
    throw forbidden("this endpoint is not available for the token of a job", { reason: "limited_token" });
  }
  if (scopes.publicOnly && route.refusesPublicOnly) throw forbidden("this endpoint is not available for public-only tokens", { reason: "public_only_token" });
  if (limitOf(actor) !== undefined && reachesBeyondRepositories(route)) {
    throw forbidden("this endpoint is not available for tokens that are limited to repositories", { reason: "limited_token" });
  }
}

/** Routes under these paths that any reader may use, such as those that create issues. A job needs write access to one of the units. */
const jobWrites: readonly (readonly [path: string, units: readonly Unit[]])[] = [
  ["/repos/{owner}/{repo}/issues", plannedUnits],
  ["/repos/{owner}/{repo}/pulls", ["repo.pulls"]],
];

const unitsForJobs = ({ path }: Pick<Route, "path">): readonly Unit[] => jobWrites.find(([base]) => path === base || path.startsWith(`${base}/`))?.[1] ?? [];

/** Whether the token of a job can use a route: those of its repository, except for changes that belong to a user, such as stars and forks. */
function isForJobs(route: Route): boolean {
  const { access, scope, scopeLevel, mount } = route;
  if (access.kind !== "repository") return access.kind === "anyone" && scope === "none";
  if (scopeLevel === "read" || scope === "none" || access.need.right === "read") return true;
  return mount === "api" && (access.need.right !== "any" || unitsForJobs(route).length > 0);
}

/**
 * Whether a route changes more than the repository in its path, or concerns the whole server. The contents of lists and texts are filtered
 * where they are built.
 */
const reachesBeyondRepositories = ({ access, scope, scopeLevel }: Route): boolean =>
  scope !== "none" && access.kind !== "repository" && (scopeLevel === "write" || access.kind === "site-admin" || [scope].flat().includes("admin"));

export interface LoadedSubjects {
  account?: AccountSubject;
  organization?: OrganizationSubject;
  team?: TeamSubject;
  repository?: RepositorySubject;
}

/**
 * Loads the resources named in the path and checks the caller's permission on them. The order is that of Gitea: 404 for invisible
 * resources, then 401 for missing credentials, then 403.
 */
export async function loadSubjects(
  route: Route,
  params: Readonly<Record<string, string>>,
  actor: Actor,
  subjects: Subjects,
  readAhead: ReadAhead | undefined,
): Promise<LoadedSubjects> {
  const { access } = route;
  switch (access.kind) {
    case "anyone":
      return {};
    case "user":
      requireUser(actor);
      return {};
    case "site-admin":
      requireUser(actor);
      if (!isSiteAdmin(actor)) throw forbidden(guardMessages["site-admin"]);
      return {};
    case "account": {
      if (access.need === "site-admin") {
        requireUser(actor);
        if (!isSiteAdmin(actor)) throw forbidden(guardMessages["site-admin"]);
      }
      if (access.asks === "before-lookup") requireUser(actor);
      const name = params.username ?? "";
      const found = await subjects.account(name, actor);
      if ("movedTo" in found) throw new Moved({ username: found.movedTo }, 307);
      if (access.need === "signed-in") requireUser(actor);
      if (access.need === "self-or-admin" && !isSelf(actor, found.subject.id) && !isSiteAdmin(actor)) throw forbidden(guardMessages["self-or-admin"]);
      return { account: found.subject };
    }
    case "organization": {
      if (access.asks === "before-lookup") requireUser(actor);
      const name = params.org ?? "";
      const found = await subjects.organization(name, actor);
      if ("movedTo" in found) throw new Moved({ org: found.movedTo }, 307);
      const { subject } = found;
      if (access.need !== "visible") requireUser(actor);
      if (access.need === "owner" && !subject.isOwner) throw forbidden(guardMessages["org-owner"]);
      if (access.need === "member" && !subject.isMember && !subject.isOwner) throw forbidden(guardMessages["org-member"]);
      return { organization: subject };
    }
    case "team": {
      requireUser(actor);
      // @compat An id that is not a number is treated as an unknown id (teams/api/teams.test.ts).
      const { id = "" } = params;
      const subject = await subjects.team(/^\d{1,15}$/.test(id) ? Number(id) : 0, actor);
      if (!subject.isMember && !subject.organization.isOwner) throw forbidden(guardMessages["team-member"]);
      if (access.need === "owner" && !subject.organization.isOwner) throw forbidden(guardMessages["org-owner"]);
      return { team: subject };
    }
    case "repository": {
      if (access.signedIn && access.asks === "before-lookup") requireUser(actor);
      const { owner = "", repo = "" } = params;
      // No repository has such a name: the address that git clones, with a path of the web interface behind it.
      if (route.mount === "root" && route.method === "GET" && /.\.git$/i.test(repo)) throw new Moved({ owner, repo: repo.slice(0, -".git".length) }, 301);
      const found = await subjects.repository(owner, repo, actor, readAhead);
      if ("movedTo" in found) throw new Moved(repositoryParameters(found.movedTo), found.isAccountRenamed ? 307 : 301);
      checkRepository(access, found.subject, actor);
      if (
        jobOf(actor) !== undefined &&
        access.need.right === "any" &&
        route.scopeLevel === "write" &&
        route.scope !== "none" &&
        !writesAny(found.subject.right, unitsForJobs(route))
      )
        throw forbidden(guardMessages.write);
      return { repository: found.subject };
    }
  }
}

function repositoryParameters(fullName: string): { readonly owner: string; readonly repo: string } {
  const [owner = "", repo = ""] = fullName.split("/");
  return { owner, repo };
}

function requireUser(actor: Actor): asserts actor is UserActor {
  if (!isUser(actor)) throw unauthenticated("token is required");
}

function checkRepository(access: RepositoryAccess, repository: RepositorySubject, actor: Actor): void {
  if (access.signedIn && access.asks !== "after-right") requireUser(actor);
  const denied = refusal(access, repository);
  if (denied !== undefined) throw denied;
  if (access.signedIn) requireUser(actor);
  if (access.writable && repository.isArchived) throw locked(`${repository.fullName} is archived`, { reason: "repository_archived" });
}

function refusal({ need }: RepositoryAccess, { right, isArchived, isMirror, fullName }: RepositorySubject): ForgeError | undefined {
  if ("isForAdmins" in need && need.isForAdmins && atLeast(right.mode, "admin")) return undefined;
  switch (need.right) {
    case "any":
      return undefined;
    case "read":
      if (atLeast(right.unit(need.unit), "read")) return undefined;
      // @compat Disabled code and releases units, and routes with `isForAdmins`, stay readable to administrators of the repository and name
      // the missing permission to others (releases/api.test.ts, runs/runs.test.ts). Other disabled units answer 404 (wiki/api.test.ts).
      if (need.unit !== "repo.code" && need.unit !== "repo.releases" && need.isForAdmins !== true) return notFound();
      return atLeast(right.mode, "admin") ? undefined : forbidden(guardMessages["unit-read"]);
    case "write":
      return atLeast(right.unit(need.unit), "write") ? undefined : forbidden(guardMessages.write);
    case "write-any":
      return writesAny(right, need.units) ? undefined : forbidden(guardMessages.write);
    case "edit":
      if (!atLeast(right.unit("repo.code"), "write")) return forbidden(guardMessages.edit);
      return isArchived || isMirror ? locked(`${fullName} is not allowed to edit`) : undefined;
    case "admin":
      return atLeast(right.mode, "admin") ? undefined : forbidden(guardMessages.admin);
    case "owner":
      return atLeast(right.mode, "owner") ? undefined : forbidden(guardMessages.owner);
  }
}
