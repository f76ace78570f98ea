import type { RepoEvent } from "./access-events.ts";

/** Repositories that came from elsewhere, and those that are kept like another one. */
export interface MirrorEvents {
  /** Fetched from elsewhere; `repo.created` is recorded too. */
  "repo.migrated": RepoEvent & { readonly originalUrl: string };
  /** Addresses hold no credentials. */
  "mirror.failed": { readonly repoId: number; readonly address: string; readonly direction: "pull" | "push"; readonly reason: string };
}
