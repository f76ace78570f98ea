import type { Migration } from "./migration.ts";

/** Older timeline entries do not name the repository of their commit, so they disappear when it is renamed. A job finds the repositories. */
export const commitRepositories: Migration = {
  id: 26,
  name: "the repository of commits in timelines",
  statements: [
    `insert into jobs (kind, payload, dedupe_key, state, run_at_ms, created_ms)
      select 'issues.locate_commits', '{}', '', 'waiting', 0, 0
      where exists (select 1 from comments where kind = 'commit_ref' and facts not like '%"commitRepoId"%')`,
  ],
};
