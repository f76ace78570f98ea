import type { RepoEvent } from "./access-events.ts";

/** Migrated repositories and mirrors. */
export interface MirrorEvents {
  /** Migrated from another server; `repo.created` is recorded too. */
  "repo.migrated": RepoEvent & { readonly originalUrl: string };
  /** URLs contain no credentials. */
  "mirror.failed": { readonly repoId: number; readonly address: string; readonly direction: "pull" | "push"; readonly reason: string };
}
