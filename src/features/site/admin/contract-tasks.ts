/** A task of the contract that is not a schedule of this server under the same name. */
export interface ContractTask {
  /** The schedule that does the same work; undefined where nothing can be out of date. */
  readonly runs?: string;
}

/** @compat Tasks that operators' scripts start by name. The comments say why a task without a schedule has nothing to do. */
export const contractTasks: ReadonlyMap<string, ContractTask> = new Map<string, ContractTask>([
  // Archives are made for each download and not kept.
  ["archive_cleanup", {}],
  ["delete_repo_archives", {}],
  // Authors of migrated texts are matched with accounts when the account is linked.
  ["update_migration_poster_id", {}],
  // There are no packages.
  ["cleanup_packages", {}],
  // Licences are detected again with every push to the default branch.
  ["sync_repo_licenses", {}],
  // An account exists only after its email address was confirmed. Administrators deactivate accounts to keep what belongs to them.
  ["delete_inactive_accounts", {}],
  // Keys are looked up in the database at every connection; there is no file to write.
  ["resync_all_sshkeys", {}],
  ["resync_all_sshprincipals", {}],
  // There are no hook scripts.
  ["resync_all_hooks", {}],
  // A repository whose objects are missing is reported, and neither emptied nor deleted.
  ["reinit_missing_repos", { runs: "repo_health_check" }],
  ["delete_missing_repos", { runs: "repo_health_check" }],
  ["delete_generated_repository_avatars", { runs: "sweep_avatars" }],
  // Events and failed jobs end by age.
  ["delete_old_system_notices", { runs: "retention" }],
  // The server does not ask other hosts for newer versions.
  ["update_checker", {}],
  // The search index is written in the transaction of each change.
  ["rebuild_issue_indexer", {}],
]);
