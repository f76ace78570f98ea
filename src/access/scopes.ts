/** Categories of token scopes, in the order in which the wire lists them (wire facts, section 2). */
export const scopeCategories = ["activitypub", "admin", "misc", "notification", "organization", "package", "issue", "repository", "user"] as const;
export type ScopeCategory = (typeof scopeCategories)[number];
export type ScopeLevel = "read" | "write";

/** A parsed set of scopes. `write` implies `read`. */
export interface ScopeSet {
  readonly all: boolean;
  readonly publicOnly: boolean;
  readonly levels: ReadonlyMap<ScopeCategory, ScopeLevel>;
}

export const allScopes: ScopeSet = { all: true, publicOnly: false, levels: new Map() };

const isCategory = (text: string): text is ScopeCategory => (scopeCategories as readonly string[]).includes(text);

/** @returns the set, or the first unknown scope */
export function parseScopes(texts: readonly string[]): ScopeSet | { readonly unknown: string } {
  let all = false;
  let publicOnly = false;
  const levels = new Map<ScopeCategory, ScopeLevel>();
  for (const text of texts) {
    const [level, category = ""] = text.split(":", 2);
    if (text === "all") all = true;
    else if (text === "public-only") publicOnly = true;
    else if ((level === "read" || level === "write") && text === `${level}:${category}` && isCategory(category)) {
      if (level === "write" || !levels.has(category)) levels.set(category, level);
    } else if (text !== "") return { unknown: text };
  }
  if (scopeCategories.every((category) => levels.get(category) === "write")) all = true;
  return { all, publicOnly, levels };
}

/** Normalized scope names, in the wire's order. */
export function scopeNames(scopes: ScopeSet): string[] {
  const names = scopes.publicOnly ? ["public-only"] : [];
  if (scopes.all) return [...names, "all"];
  for (const category of scopeCategories) {
    const level = scopes.levels.get(category);
    if (level !== undefined) names.push(`${level}:${category}`);
  }
  return names;
}

export function allowsScope(scopes: ScopeSet, category: ScopeCategory, level: ScopeLevel): boolean {
  if (scopes.all) return true;
  const held = scopes.levels.get(category);
  return held === "write" || held === level;
}
