/**
 * The feed format that a feed reader requests with its `Accept` header on a page, which redirects to the feed.
 * @returns the extension of the feed's URL; undefined for other clients
 */
export function wantedFeed({ accept }: Readonly<Record<string, string | string[] | undefined>>): "rss" | "atom" | undefined {
  if (typeof accept !== "string") return undefined;
  return accept.includes("application/rss+xml") ? "rss" : accept.includes("application/atom+xml") ? "atom" : undefined;
}
