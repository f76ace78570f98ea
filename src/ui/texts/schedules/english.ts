/** What the server does at regular times, in the administration's words. */
export const schedules = {
  /** By their names; what has none here stands under its name alone. */
  what: {
    check_repo_stats: "Count anew what the files of repositories are written in, where that is behind",
    cleanup_hook_task_table: "Forget old deliveries of webhooks",
    forget_ended_migrations: "Forget migrations that have ended",
    forget_failed_sign_ins: "Forget failed sign-ins that count no more",
    git_gc_repos: "Pack the objects of repositories, and clear away those that nothing needs",
    repo_health_check: "Check the objects of repositories, those first that were not checked for longest",
    retention: "Forget old events, activities and failed jobs",
    sweep_avatars: "Clear away pictures that nobody uses",
    sweep_files: "Clear away uploaded files that nothing uses",
    sweep_repositories: "Clear away deleted repositories whose time to be brought back is over",
    sweep_sessions: "Forget sessions, codes, tokens and drafts that have ended",
    sweep_stores: "Clear away what git processes left half-done",
    sync_external_users: "Bring accounts up to date with the directories that they come from",
    tidy_stores: "Tidy the repositories that were written to lately",
    update_mirrors: "Synchronize the mirrors whose time has come",
  } as Readonly<Record<string, string>>,
  every: (count: number, unit: "day" | "hour" | "minute") => (count === 1 ? `Every ${unit}` : `Every ${count} ${unit}s`),
  notYet: "not done yet",
  last: "last done",
  next: "next",
};
