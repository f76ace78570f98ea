import { allowsScope, allScopes, parseScopes, type ScopeSet, scopeCategories, scopeNames } from "../../access/scopes.ts";

/** Scopes that ask who somebody is (OpenID Connect Core, 5.4; `groups` is the wire's own). */
export const identityScopes = ["openid", "profile", "email", "groups"] as const;
export type IdentityScope = (typeof identityScopes)[number];

const isIdentity = (scope: string): scope is IdentityScope => (identityScopes as readonly string[]).includes(scope);

/** The scopes of a request, each once, in its order. */
export const splitScopes = (text: string): readonly string[] => [...new Set(text.split(" ").filter((scope) => scope !== ""))];

export const asksFor = (scopes: readonly string[], scope: IdentityScope): boolean => scopes.includes(scope);

/**
 * What an access token may do with the interface.
 * @compat a request that names no scope of the interface asks for all of them: so clients do that know none. One that names a scope which
 * nobody knows does not: whoever asks for little must not be given everything for a slip of the pen.
 */
export function rightsOf(scopes: readonly string[]): ScopeSet {
  const named = scopes.filter((scope) => !isIdentity(scope));
  if (named.length === 0) return allScopes;
  const known = parseScopes(named.filter((scope) => !("unknown" in parseScopes([scope]))));
  if ("unknown" in known) throw new Error("a known scope is not known");
  return known;
}

/** Whether somebody who has agreed to some scopes need not be asked for others. */
export function covers(granted: readonly string[], wanted: readonly string[]): boolean {
  if (wanted.some((scope) => isIdentity(scope) && !granted.includes(scope))) return false;
  const [held, asked] = [rightsOf(granted), rightsOf(wanted)];
  if ((asked.all && !held.all) || (held.publicOnly && !asked.publicOnly)) return false;
  return scopeCategories.every((category) => {
    const level = asked.levels.get(category);
    return level === undefined || allowsScope(held, category, level);
  });
}

/** Scopes in full, as they are kept with a grant: everything is said to be everything. */
export const spellOut = (scopes: readonly string[]): readonly string[] => [...scopes.filter(isIdentity), ...scopeNames(rightsOf(scopes))];
