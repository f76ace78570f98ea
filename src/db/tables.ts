import type { AccountTables } from "./tables/accounts.ts";
import type { ActionTables } from "./tables/actions.ts";
import type { ActivityTables } from "./tables/activities.ts";
import type { AuditTables } from "./tables/audit.ts";
import type { AuthSourceTables } from "./tables/auth-sources.ts";
import type { CommitCommentTables } from "./tables/commit-comments.ts";
import type { CredentialTables } from "./tables/credentials.ts";
import type { DraftTables } from "./tables/drafts.ts";
import type { GitTables } from "./tables/git.ts";
import type { GpgKeyTables } from "./tables/gpg-keys.ts";
import type { HookTables } from "./tables/hooks.ts";
import type { IssueTables } from "./tables/issues.ts";
import type { LabelAndMilestoneTables } from "./tables/labels-and-milestones.ts";
import type { LfsTables } from "./tables/lfs.ts";
import type { MirrorTables } from "./tables/mirrors.ts";
import type { NotificationTables } from "./tables/notifications.ts";
import type { OrganizationTables } from "./tables/organizations.ts";
import type { PinnedRepositoryTables } from "./tables/pinned-repositories.ts";
import type { ProtectionTables } from "./tables/protections.ts";
import type { PullTables } from "./tables/pulls.ts";
import type { RecoveryTables } from "./tables/recovery.ts";
import type { ReleaseTables } from "./tables/releases.ts";
import type { RepositoryTables } from "./tables/repositories.ts";
import type { ReviewTables } from "./tables/reviews.ts";
import type { SavedReplyTables } from "./tables/saved-replies.ts";
import type { SavedSearchTables } from "./tables/saved-searches.ts";
import type { ServerTables } from "./tables/server.ts";
import type { SessionTables } from "./tables/sessions.ts";
import type { StarListTables } from "./tables/star-lists.ts";
import type { StatusTables } from "./tables/statuses.ts";
import type { StoredFileTables } from "./tables/stored-files.ts";

/**
 * The tables, the same in SQLite and PostgreSQL: integers for ids and times (ms since 1970), 0/1 for booleans, hex strings for object ids.
 * One file in `tables/` per subject. Migrations create them (`migrations/`) and import nothing from here.
 */
export interface Tables
  extends AccountTables,
    ActionTables,
    ActivityTables,
    AuditTables,
    CredentialTables,
    OrganizationTables,
    DraftTables,
    SavedReplyTables,
    SavedSearchTables,
    StoredFileTables,
    GitTables,
    GpgKeyTables,
    HookTables,
    LfsTables,
    MirrorTables,
    NotificationTables,
    PinnedRepositoryTables,
    ProtectionTables,
    PullTables,
    RecoveryTables,
    ReleaseTables,
    RepositoryTables,
    LabelAndMilestoneTables,
    IssueTables,
    ReviewTables,
    ServerTables,
    SessionTables,
    AuthSourceTables,
    StarListTables,
    CommitCommentTables,
    StatusTables {}
