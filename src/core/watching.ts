/** Activities of a repository that watchers can select, in the order of their bits in `watchingOf`. */
export const watchKinds = ["issues", "pulls", "releases"] as const;
export type WatchKind = (typeof watchKinds)[number];

/**
 * The activity of a repository that an account is notified of. Participating: only conversations in which it takes part or is mentioned.
 * Ignored: none. Otherwise additionally all activity of some kinds, at least one.
 */
export type Watching = "participating" | "ignored" | readonly WatchKind[];

export const watchLevels = ["participating", "all", "custom", "ignored"] as const;
export type WatchLevel = (typeof watchLevels)[number];

export const levelOf = (watching: Watching): WatchLevel => (typeof watching === "string" ? watching : watchesAll(watching) ? "all" : "custom");

export const watchesAll = (watching: Watching): boolean => typeof watching !== "string" && watchKinds.every((kind) => watching.includes(kind));
