import { accounts } from "./0001-accounts.ts";
import { credentials } from "./0002-credentials.ts";
import { oauth2 } from "./0003-oauth2.ts";
import { gitStores } from "./0004-git-stores.ts";
import { repositories } from "./0005-repositories.ts";
import { keys } from "./0006-keys.ts";
import { rules } from "./0007-rules.ts";
import { mirrors } from "./0008-mirrors.ts";
import { issues } from "./0009-issues.ts";
import { issueSearch } from "./0010-issue-search.ts";
import { pulls } from "./0011-pulls.ts";
import { files } from "./0012-files.ts";
import { work } from "./0013-work.ts";
import { news } from "./0014-news.ts";
import { hooks } from "./0015-hooks.ts";
import { audit } from "./0016-audit.ts";
import { searchUpkeep } from "./0017-search-upkeep.ts";
import { deletedBranches } from "./0018-deleted-branches.ts";
import { textsWaiting } from "./0019-texts-waiting.ts";
import { issueOrder } from "./0020-issue-order.ts";
import { issueChanges } from "./0021-issue-changes.ts";
import { deleter } from "./0022-deleter.ts";
import { uploads } from "./0023-uploads.ts";
import { workers } from "./0024-workers.ts";
import { setAside } from "./0025-set-aside.ts";
import { commitRepositories } from "./0026-commit-repositories.ts";
import { audiences } from "./0027-audiences.ts";
import { commitLookups } from "./0028-commit-lookups.ts";
import { listsByName } from "./0029-lists-by-name.ts";
import { names } from "./0030-names.ts";
import { refMoves } from "./0031-ref-moves.ts";
import { storePacks } from "./0032-store-packs.ts";
import { issueDetails } from "./0033-issue-details.ts";
import { bulkChanges } from "./0034-bulk-changes.ts";
import { closeReasons } from "./0035-close-reasons.ts";
import { actions } from "./0036-actions.ts";
import { traits } from "./0037-traits.ts";
import { accountTexts } from "./0038-account-texts.ts";
import { refTokens } from "./0039-ref-tokens.ts";
import { artifacts } from "./0040-artifacts.ts";
import { importedTokens } from "./0041-imported-tokens.ts";
import { moreTriggers } from "./0042-more-triggers.ts";
import { calledWorkflows } from "./0043-called-workflows.ts";
import { systemAccount } from "./0044-system-account.ts";
import { runConcurrency } from "./0045-run-concurrency.ts";
import { caches } from "./0046-caches.ts";
import { issueRedirects } from "./0047-issue-redirects.ts";
import { ownedRepositories } from "./0048-owned-repositories.ts";
import { savedReplies } from "./0049-saved-replies.ts";
import { oldestPrograms } from "./0050-oldest-programs.ts";
import { savedSearches } from "./0051-saved-searches.ts";
import { notificationReasons } from "./0052-notification-reasons.ts";
import { milestonePositions } from "./0053-milestone-positions.ts";
import { requiredWorkflows } from "./0054-required-workflows.ts";
import { jobSummaries } from "./0055-job-summaries.ts";
import { dataLinks } from "./0056-data-links.ts";
import { textStatistics } from "./0057-text-statistics.ts";
import { pinnedRepositories } from "./0058-pinned-repositories.ts";
import { organizationInvitations } from "./0059-organization-invitations.ts";
import { starLists } from "./0060-star-lists.ts";
import { unusedFiles } from "./0061-unused-files.ts";
import { newRepositories } from "./0062-new-repositories.ts";
import { failureReasons } from "./0063-failure-reasons.ts";
import { systemNotices } from "./0064-system-notices.ts";
import { socialPreviews } from "./0065-social-previews.ts";
import { previewIndex } from "./0066-preview-index.ts";
import { issueBranches } from "./0067-issue-branches.ts";
import { commitComments } from "./0068-commit-comments.ts";
import { watchLevels } from "./0069-watch-levels.ts";
import { releaseThreads } from "./0070-release-threads.ts";
import { formerAuthors } from "./0071-former-authors.ts";
import { updateIntervals } from "./0072-update-intervals.ts";
import { migrationFailures } from "./0073-migration-failures.ts";
import { sshPrincipals } from "./0074-ssh-principals.ts";
import { deletedRunNumbers } from "./0075-deleted-run-numbers.ts";
import { labelFacts } from "./0076-label-facts.ts";
import type { Migration } from "./migration.ts";

/** In the order of their ids, which count from 1. */
export const allMigrations: readonly Migration[] = [
  accounts,
  credentials,
  oauth2,
  gitStores,
  repositories,
  keys,
  rules,
  mirrors,
  issues,
  issueSearch,
  pulls,
  files,
  work,
  news,
  hooks,
  audit,
  searchUpkeep,
  deletedBranches,
  textsWaiting,
  issueOrder,
  issueChanges,
  deleter,
  uploads,
  workers,
  setAside,
  commitRepositories,
  audiences,
  commitLookups,
  listsByName,
  names,
  refMoves,
  storePacks,
  issueDetails,
  bulkChanges,
  closeReasons,
  actions,
  traits,
  accountTexts,
  refTokens,
  artifacts,
  importedTokens,
  moreTriggers,
  calledWorkflows,
  systemAccount,
  runConcurrency,
  caches,
  issueRedirects,
  ownedRepositories,
  savedReplies,
  oldestPrograms,
  savedSearches,
  notificationReasons,
  milestonePositions,
  requiredWorkflows,
  jobSummaries,
  dataLinks,
  textStatistics,
  pinnedRepositories,
  organizationInvitations,
  starLists,
  unusedFiles,
  newRepositories,
  failureReasons,
  systemNotices,
  socialPreviews,
  previewIndex,
  issueBranches,
  commitComments,
  watchLevels,
  releaseThreads,
  formerAuthors,
  updateIntervals,
  migrationFailures,
  sshPrincipals,
  deletedRunNumbers,
  labelFacts,
];
