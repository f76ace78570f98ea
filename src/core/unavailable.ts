/**
 * Features that the API names because Gitea's clients do, and that this server does not have yet. Pages do not offer them; forms keep their
 * stored values.
 */
export const unavailable: ReadonlySet<string> = new Set([
  // Units of a repository, and their switches.
  "repo.projects",
  "repo.packages",
  "has_projects",
  "has_packages",
  // Scopes of tokens.
  "activitypub",
  // Also the event of webhooks.
  "package",
]);
