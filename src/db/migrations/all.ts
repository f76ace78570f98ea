import { accounts } from "./0001-accounts.ts";
import { repositories } from "./0002-repositories.ts";
import { work } from "./0003-work.ts";
import { people } from "./0004-people.ts";
import { keys } from "./0005-keys.ts";
import { avatars } from "./0006-avatars.ts";
import { labels } from "./0007-labels.ts";
import { signInSources } from "./0008-sign-in-sources.ts";
import { credentials } from "./0009-credentials.ts";
import { issues } from "./0010-issues.ts";
import { sessions } from "./0011-sessions.ts";
import { oauth2 } from "./0012-oauth2.ts";
import { keyUse } from "./0013-key-use.ts";
import { gpgKeys } from "./0014-gpg-keys.ts";
import { audit } from "./0015-audit.ts";
import { issueSearch } from "./0016-issue-search.ts";
import { activities } from "./0017-activities.ts";
import { notifications } from "./0018-notifications.ts";
import { protections } from "./0019-protections.ts";
import { lfs } from "./0020-lfs.ts";
import { accountCodes } from "./0021-account-codes.ts";
import { commitStatuses } from "./0022-commit-statuses.ts";
import { pullRequests } from "./0023-pull-requests.ts";
import { mirrors } from "./0024-mirrors.ts";
import { forkNetworks } from "./0025-fork-networks.ts";
import { releases } from "./0026-releases.ts";
import { reviews } from "./0027-reviews.ts";
import { hooks } from "./0028-hooks.ts";
import { news } from "./0029-news.ts";
import { upkeep } from "./0030-upkeep.ts";
import { issueLinks } from "./0031-issue-links.ts";
import { runningMigrations } from "./0032-running-migrations.ts";
import { hookFailures } from "./0033-hook-failures.ts";
import { repoMigrations } from "./0034-repo-migrations.ts";
import { commentRanges } from "./0035-comment-ranges.ts";
import { participants } from "./0036-participants.ts";
import { storedFiles } from "./0037-stored-files.ts";
import { drafts } from "./0038-drafts.ts";
import { viewedFiles } from "./0039-viewed-files.ts";
import { failedJobs } from "./0040-failed-jobs.ts";
import { originalReactions } from "./0041-original-reactions.ts";
import { refsByOid } from "./0042-refs-by-oid.ts";
import type { Migration } from "./migration.ts";

/** In the order of their ids, which count from 1. */
export const allMigrations: readonly Migration[] = [
  accounts,
  repositories,
  work,
  people,
  keys,
  avatars,
  labels,
  signInSources,
  credentials,
  issues,
  sessions,
  oauth2,
  keyUse,
  gpgKeys,
  audit,
  issueSearch,
  activities,
  notifications,
  protections,
  lfs,
  accountCodes,
  commitStatuses,
  pullRequests,
  mirrors,
  forkNetworks,
  releases,
  reviews,
  hooks,
  news,
  upkeep,
  issueLinks,
  runningMigrations,
  hookFailures,
  repoMigrations,
  commentRanges,
  participants,
  storedFiles,
  drafts,
  viewedFiles,
  failedJobs,
  originalReactions,
  refsByOid,
];
