import type { RepositorySettings } from "../../../../repositories/repos/settings.ts";
import type { BuiltStyle } from "./build.ts";

/** Whether a repository allows a merge style. */
export const allowed: Readonly<Record<BuiltStyle, (settings: RepositorySettings) => boolean>> = {
  merge: (settings) => settings.allowMergeCommits,
  rebase: (settings) => settings.allowRebase,
  "rebase-merge": (settings) => settings.allowRebaseExplicit,
  squash: (settings) => settings.allowSquashMerge,
  "fast-forward-only": (settings) => settings.allowFastForwardOnlyMerge,
};
