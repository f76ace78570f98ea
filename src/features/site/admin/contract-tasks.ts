/** A task of the contract without a schedule of the same name. */
export interface ContractTask {
  /** The schedule that does the same work; undefined if there is nothing to do. */
  readonly runs?: string;
}

/**
 * @compat Operators' scripts start these tasks by name (admin/api/schedules.test.ts). The comments explain why a task without a schedule
 * has nothing to do.
 */
export const contractTasks: ReadonlyMap<string, ContractTask> = new Map<string, ContractTask>([
  // Archives are created for each download and not stored.
  ["archive_cleanup", {}],
  ["delete_repo_archives", {}],
  // Authors of migrated texts are matched when the account is linked.
  ["update_migration_poster_id", {}],
  // There are no packages.
  ["cleanup_packages", {}],
  // Licences are detected again on each push to the default branch.
  ["sync_repo_licenses", {}],
  // An account exists only after its email address was confirmed. Administrators deactivate accounts to keep their possessions.
  ["delete_inactive_accounts", {}],
  // Keys are looked up in the database for each connection; there is no file to write.
  ["resync_all_sshkeys", {}],
  ["resync_all_sshprincipals", {}],
  // There are no hook scripts.
  ["resync_all_hooks", {}],
  // A repository with missing objects is reported, but neither emptied nor deleted.
  ["reinit_missing_repos", { runs: "repo_health_check" }],
  ["delete_missing_repos", { runs: "repo_health_check" }],
  ["delete_generated_repository_avatars", { runs: "sweep_avatars" }],
  // The server does not ask other hosts for newer versions.
  ["update_checker", {}],
  // The search index is updated in the transaction of each change.
  ["rebuild_issue_indexer", {}],
  // Contents without an LFS object are deleted with other unused files.
  ["gc_lfs", { runs: "sweep_files" }],
  ["start_schedule_tasks", { runs: "start_scheduled_workflows" }],
  ["cleanup_actions", { runs: "expire_action_logs" }],
  // Silent runners lose their jobs, and jobs end at their time limit, without a schedule.
  ["stop_zombie_tasks", {}],
  ["stop_endless_tasks", {}],
  ["cancel_abandoned_jobs", {}],
]);
