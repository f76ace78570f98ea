import type { Migration, StatementByDialect } from "./migration.ts";

/**
 * Copies the columns that lists filter by to labels and assignees of an issue. A list by label or assignee then reads one index only, also to
 * count. The repository and kind of an issue never change; a trigger copies its state.
 */
const copiedColumns = (table: string, owner: string): StatementByDialect => ({
  sqlite: `create trigger ${table}_made after insert on ${table} begin
      update ${table} set (repo_id, is_pull, is_closed) = (select repo_id, is_pull, is_closed from issues where id = new.issue_id)
        where ${owner} = new.${owner} and issue_id = new.issue_id;
    end`,
  postgres: `create trigger ${table}_made before insert on ${table} for each row execute function issue_link_made()`,
});

export const issues: Migration = {
  id: 9,
  name: "issues",
  statements: [
    // A label belongs to a repository or an organization. Names are not unique.
    `create table labels (
      id {id},
      repo_id {int} references repositories (id) on delete cascade,
      org_id {int} references accounts (id) on delete cascade,
      name {text} not null,
      color {text} not null,
      description {text} not null,
      is_exclusive {int} not null,
      is_archived {int} not null,
      created_ms {int} not null,
      updated_ms {int} not null,
      check ((repo_id is null) <> (org_id is null))
    ) {table}`,
    "create index labels_repo on labels (repo_id, name, id) where repo_id is not null",
    "create index labels_org on labels (org_id, name, id) where org_id is not null",

    `create table milestones (
      id {id},
      repo_id {int} not null references repositories (id) on delete cascade,
      title {text} not null,
      title_folded {text} not null,
      description {text} not null,
      is_closed {int} not null,
      due_ms {int},
      closed_ms {int},
      open_issues_count {int} not null default 0,
      closed_issues_count {int} not null default 0,
      created_ms {int} not null,
      updated_ms {int} not null
    ) {table}`,
    // Milestones without a date come first, on both databases.
    "create index milestones_due on milestones (repo_id, (coalesce(due_ms, 0)), title, id)",
    "create index milestones_title on milestones (repo_id, title, id)",

    // Ids ascend with numbers, so lists are ordered by id alone, within a repository and across repositories.
    `create table issues (
      id {id},
      repo_id {int} not null references repositories (id) on delete cascade,
      number {int} not null,
      is_pull {int} not null,
      poster_id {int} references accounts (id) on delete set null,
      title {text} not null,
      content {text} not null,
      content_version {int} not null default 0,
      is_closed {int} not null default 0,
      closed_ms {int},
      milestone_id {int} references milestones (id) on delete set null,
      deadline_ms {int},
      is_locked {int} not null default 0,
      lock_reason {text} not null default '',
      ref {text} not null,
      time_estimate_seconds {int} not null default 0,
      pin_order {int} not null default 0,
      comments_count {int} not null default 0,
      original_author {text} not null default '',
      original_author_id {int} not null default 0,
      created_ms {int} not null,
      updated_ms {int} not null
    ) {table}`,
    "create unique index issues_number on issues (repo_id, number)",
    // A list without other filters finds any page with one of these four indexes alone.
    "create index issues_all on issues (repo_id, id)",
    "create index issues_by_state on issues (repo_id, is_closed, id)",
    "create index issues_by_kind on issues (repo_id, is_pull, id)",
    "create index issues_by_kind_and_state on issues (repo_id, is_pull, is_closed, id)",
    // Columns of an issue for lists that read the index of another table.
    "create index issues_facts on issues (id, repo_id, is_closed, is_pull, milestone_id)",
    "create index issues_updated on issues (repo_id, updated_ms)",
    "create index issues_milestone on issues (milestone_id, id, repo_id, is_closed, is_pull) where milestone_id is not null",
    "create index issues_poster on issues (poster_id, repo_id, id, is_closed, is_pull) where poster_id is not null",
    "create index issues_pinned on issues (repo_id, pin_order) where pin_order > 0",

    `create table issue_assignees (
      issue_id {int} not null references issues (id) on delete cascade,
      account_id {int} not null references accounts (id) on delete cascade,
      place {int} not null,
      repo_id {int} not null default 0,
      is_pull {int} not null default 0,
      is_closed {int} not null default 0,
      primary key (account_id, issue_id)
    ) {clustered}`,
    "create index issue_assignees_issue on issue_assignees (issue_id, place, account_id)",
    "create index issue_assignees_listed on issue_assignees (account_id, is_closed, issue_id, repo_id, is_pull)",

    `create table issue_labels (
      label_id {int} not null references labels (id) on delete cascade,
      issue_id {int} not null references issues (id) on delete cascade,
      repo_id {int} not null default 0,
      is_pull {int} not null default 0,
      is_closed {int} not null default 0,
      primary key (label_id, issue_id)
    ) {clustered}`,
    "create index issue_labels_issue on issue_labels (issue_id, label_id)",
    "create index issue_labels_listed on issue_labels (label_id, is_closed, issue_id, repo_id, is_pull)",

    `create table issue_mentions (
      account_id {int} not null references accounts (id) on delete cascade,
      issue_id {int} not null references issues (id) on delete cascade,
      primary key (account_id, issue_id)
    ) {clustered}`,
    "create index issue_mentions_issue on issue_mentions (issue_id)",

    `create table comments (
      id {id},
      issue_id {int} not null references issues (id) on delete cascade,
      repo_id {int} not null references repositories (id) on delete cascade,
      kind {text} not null,
      poster_id {int} references accounts (id) on delete set null,
      content {text} not null,
      content_version {int} not null default 0,
      facts {text} not null default '{}',
      ref_issue_id {int} references issues (id) on delete cascade,
      ref_comment_id {int} references comments (id) on delete cascade,
      original_author {text} not null default '',
      original_author_id {int} not null default 0,
      created_ms {int} not null,
      updated_ms {int} not null
    ) {table}`,
    "create index comments_issue on comments (issue_id, id)",
    "create index comments_written on comments (repo_id, id) where kind = 'comment'",
    "create index comments_repo on comments (repo_id)",
    "create index comments_poster on comments (poster_id) where poster_id is not null",
    "create index comments_ref_issue on comments (ref_issue_id, issue_id) where ref_issue_id is not null",
    "create index comments_ref_comment on comments (ref_comment_id) where ref_comment_id is not null",
    // Commenters of an issue, read with each new comment.
    "create index comments_participants on comments (issue_id, poster_id) where kind in ('comment', 'review') and poster_id is not null",

    `create table content_history (
      id {id},
      issue_id {int} not null references issues (id) on delete cascade,
      comment_id {int} references comments (id) on delete cascade,
      editor_id {int} references accounts (id) on delete set null,
      content {text} not null,
      written_ms {int} not null
    ) {table}`,
    "create index content_history_issue on content_history (issue_id, comment_id, id)",
    "create index content_history_comment on content_history (comment_id) where comment_id is not null",
    "create index content_history_editor on content_history (editor_id) where editor_id is not null",

    `create table reactions (
      id {id},
      issue_id {int} not null references issues (id) on delete cascade,
      comment_id {int} references comments (id) on delete cascade,
      account_id {int} references accounts (id) on delete cascade,
      original_author {text} not null default '',
      original_author_id {int} not null default 0,
      content {text} not null,
      created_ms {int} not null
    ) {table}`,
    "create unique index reactions_issue on reactions (issue_id, account_id, content) where comment_id is null and account_id is not null",
    "create unique index reactions_comment on reactions (comment_id, account_id, content) where comment_id is not null and account_id is not null",
    "create index reactions_of_comment on reactions (comment_id) where comment_id is not null",
    "create index reactions_by_issue on reactions (issue_id)",
    "create index reactions_account on reactions (account_id) where account_id is not null",

    `create table issue_dependencies (
      issue_id {int} not null references issues (id) on delete cascade,
      dependency_id {int} not null references issues (id) on delete cascade,
      created_ms {int} not null,
      primary key (issue_id, dependency_id)
    ) {clustered}`,
    "create index issue_dependencies_dependency on issue_dependencies (dependency_id, issue_id)",

    `create table issue_subscriptions (
      issue_id {int} not null references issues (id) on delete cascade,
      account_id {int} not null references accounts (id) on delete cascade,
      is_subscribed {int} not null,
      created_ms {int} not null,
      primary key (issue_id, account_id)
    ) {clustered}`,
    "create index issue_subscriptions_account on issue_subscriptions (account_id)",

    `create table stopwatches (
      account_id {int} not null references accounts (id) on delete cascade,
      issue_id {int} not null references issues (id) on delete cascade,
      created_ms {int} not null,
      primary key (account_id)
    ) {clustered}`,
    "create index stopwatches_issue on stopwatches (issue_id)",

    `create table tracked_times (
      id {id},
      issue_id {int} not null references issues (id) on delete cascade,
      repo_id {int} not null references repositories (id) on delete cascade,
      account_id {int} not null references accounts (id) on delete cascade,
      seconds {int} not null,
      is_deleted {int} not null default 0,
      created_ms {int} not null
    ) {table}`,
    "create index tracked_times_issue on tracked_times (issue_id, id)",
    "create index tracked_times_repo on tracked_times (repo_id, id)",
    "create index tracked_times_account on tracked_times (account_id, id)",

    {
      sqlite: null,
      postgres: `create function issue_link_made() returns trigger language plpgsql as $$ begin
        select repo_id, is_pull, is_closed into new.repo_id, new.is_pull, new.is_closed from issues where id = new.issue_id;
        return new;
      end $$`,
    },
    copiedColumns("issue_labels", "label_id"),
    copiedColumns("issue_assignees", "account_id"),
    {
      sqlite: `create trigger issues_state_moved after update of is_closed on issues when old.is_closed <> new.is_closed begin
        update issue_labels set is_closed = new.is_closed where issue_id = new.id;
        update issue_assignees set is_closed = new.is_closed where issue_id = new.id;
      end`,
      postgres: `create function issue_state_moved() returns trigger language plpgsql as $$ begin
        update issue_labels set is_closed = new.is_closed where issue_id = new.id;
        update issue_assignees set is_closed = new.is_closed where issue_id = new.id;
        return null;
      end $$`,
    },
    {
      sqlite: null,
      postgres: `create trigger issues_state_moved after update of is_closed on issues for each row
        when (old.is_closed is distinct from new.is_closed) execute function issue_state_moved()`,
    },
  ],
};
