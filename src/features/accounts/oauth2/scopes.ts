import { allowsScope, allScopes, parseScopes, type ScopeSet, scopeCategories, scopeNames } from "../../../access/scopes.ts";

/** Scopes for identity claims (OpenID Connect Core, 5.4; `groups` as in Gitea). */
export const identityScopes = ["openid", "profile", "email", "groups"] as const;
export type IdentityScope = (typeof identityScopes)[number];

const isIdentity = (scope: string): scope is IdentityScope => (identityScopes as readonly string[]).includes(scope);

/** The distinct scopes of a request, in order. */
export const splitScopes = (text: string): readonly string[] => [...new Set(text.split(" ").filter((scope) => scope !== ""))];

export const asksFor = (scopes: readonly string[], scope: IdentityScope): boolean => scopes.includes(scope);

/**
 * Scopes that clients written for GitHub ask for, and the scopes of the interface that give the nearest rights.
 * GitHub's other scopes (`gist`, `write:repo_hook`, `repo:status`, `admin:public_key` ...) give no rights:
 * every scope here that includes them would give more than the name says.
 */
const gitHubScopes: ReadonlyMap<string, readonly string[]> = new Map([
  ["user:email", ["read:user"]],
  ["user:follow", ["read:user"]],
  ["user", ["write:user"]],
  ["read:org", ["read:organization"]],
  ["write:org", ["read:organization"]],
  ["admin:org", ["write:organization"]],
  ["repo", ["write:repository", "write:issue"]],
  ["notifications", ["write:notification"]],
  ["read:packages", ["read:package"]],
  ["write:packages", ["write:package"]],
]);

const parseKnown = (scopes: readonly string[]): ScopeSet => {
  const known = parseScopes(scopes.filter((scope) => !("unknown" in parseScopes([scope]))));
  if ("unknown" in known) throw new Error(`scope ${known.unknown} was parsed and is unknown`);
  return known;
};

/**
 * The API rights of an access token. @compat a request without an API scope gets all rights, because some clients do not know any
 * (oauth2/scopes.test.ts). A request with only unknown scopes gets none: a misspelt scope must not grant everything.
 */
export function rightsOf(scopes: readonly string[]): ScopeSet {
  const named = scopes.filter((scope) => !isIdentity(scope));
  if (named.length === 0) return allScopes;
  const expanded = named.flatMap((scope) => gitHubScopes.get(scope) ?? [scope]);
  const rights = parseKnown(expanded);
  // `public-only` limits the whole token, so it is omitted if another scope grants all repositories.
  if (!named.includes("public_repo") || allowsScope(rights, "repository", "write")) return rights;
  return parseKnown([...expanded, "public-only", "write:repository", "write:issue"]);
}

/** Whether consent to some scopes covers the requested ones. */
export function covers(granted: readonly string[], wanted: readonly string[]): boolean {
  if (wanted.some((scope) => isIdentity(scope) && !granted.includes(scope))) return false;
  const [held, requested] = [rightsOf(granted), rightsOf(wanted)];
  if ((requested.all && !held.all) || (held.publicOnly && !requested.publicOnly)) return false;
  return scopeCategories.every((category) => {
    const level = requested.levels.get(category);
    return level === undefined || allowsScope(held, category, level);
  });
}

/** Scopes as stored with a grant; the implicit right to everything is stored explicitly. */
export const spellOut = (scopes: readonly string[]): readonly string[] => [...scopes.filter(isIdentity), ...scopeNames(rightsOf(scopes))];
