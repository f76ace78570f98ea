export interface PinnedRepositoryTables {
  pinned_repositories: PinnedRepositoriesTable;
}

/** The repositories that a profile shows first. */
export interface PinnedRepositoriesTable {
  account_id: number;
  repo_id: number;
  /** From 1. */
  position: number;
}
