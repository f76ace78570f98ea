/**
 * The feed that a reader of feeds asks a page for by its `Accept` header, which leads to the address of the feed.
 * @returns the ending of the feed's address; undefined for other clients
 */
export function wantedFeed({ accept }: Readonly<Record<string, string | string[] | undefined>>): "rss" | "atom" | undefined {
  if (typeof accept !== "string") return undefined;
  return accept.includes("application/rss+xml") ? "rss" : accept.includes("application/atom+xml") ? "atom" : undefined;
}
