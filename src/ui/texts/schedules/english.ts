/** The scheduled tasks of the server. */
export const schedules = {
  /** By name; a task without an entry is shown by its name alone. */
  what: {
    check_repo_stats: "Update outdated language statistics of repositories",
    cleanup_hook_task_table: "Delete old webhook deliveries",
    forget_ended_migrations: "Delete completed migrations",
    forget_failed_sign_ins: "Delete expired failed sign-in attempts",
    git_gc_repos: "Garbage-collect repositories",
    repo_health_check: "Check the health of repositories",
    retention: "Delete old events, activities and failed jobs",
    sweep_avatars: "Clean up unused avatars",
    sweep_files: "Clean up unused uploads",
    sweep_repositories: "Purge deleted repositories that can no longer be restored",
    sweep_sessions: "Delete expired sessions, codes, tokens and drafts",
    sweep_stores: "Clean up after interrupted git processes",
    sync_external_users: "Synchronize external users",
    tidy_stores: "Optimize recently changed repositories",
    update_mirrors: "Update mirrors",
  } as Readonly<Record<string, string>>,
  every: (count: number, unit: "day" | "hour" | "minute") => (count === 1 ? `Every ${unit}` : `Every ${count} ${unit}s`),
  notYet: "never run",
  last: "last run",
  next: "next run",
};
