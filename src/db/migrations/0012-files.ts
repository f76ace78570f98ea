import type { Migration } from "./migration.ts";

export const files: Migration = {
  id: 12,
  name: "uploaded files, releases",
  statements: [
    // A content and its copy in the file store. A copy belongs to one row: if the same content is uploaded after its row was deleted, it is a new copy.
    `create table stored_files (
      digest {text} not null primary key,
      size_bytes {int} not null,
      file {text} not null,
      created_ms {int} not null
    ) {clustered}`,
    "create unique index stored_files_file on stored_files (file)",

    `create table releases (
      id {id},
      repo_id {int} not null references repositories (id) on delete cascade,
      tag_name {text} not null,
      target {text} not null,
      title {text} not null,
      note {text} not null,
      is_draft {int} not null,
      is_prerelease {int} not null,
      author_id {int} references accounts (id) on delete set null,
      original_author {text} not null default '',
      original_author_id {int} not null default 0,
      created_ms {int} not null,
      published_ms {int} not null
    ) {table}`,
    "create unique index releases_tag on releases (repo_id, tag_name)",
    "create index releases_newest on releases (repo_id, published_ms, id)",
    "create index releases_author on releases (author_id) where author_id is not null",

    `create table attachments (
      id {id},
      uuid {text} not null,
      repo_id {int} not null references repositories (id) on delete cascade,
      issue_id {int} references issues (id) on delete cascade,
      comment_id {int} references comments (id) on delete cascade,
      release_id {int} references releases (id) on delete cascade,
      uploader_id {int} references accounts (id) on delete set null,
      name {text} not null,
      size_bytes {int} not null,
      digest {text} not null references stored_files (digest),
      download_count {int} not null default 0,
      created_ms {int} not null
    ) {table}`,
    "create unique index attachments_uuid on attachments (uuid)",
    "create index attachments_issue on attachments (issue_id, comment_id, id) where issue_id is not null",
    "create index attachments_comment on attachments (comment_id, id) where comment_id is not null",
    "create index attachments_release on attachments (release_id, id) where release_id is not null",
    "create index attachments_repo on attachments (repo_id)",
    "create index attachments_uploader on attachments (uploader_id) where uploader_id is not null",
    "create index attachments_digest on attachments (digest)",

    `create table lfs_objects (
      repo_id {int} not null references repositories (id) on delete cascade,
      oid {text} not null references stored_files (digest),
      size_bytes {int} not null,
      created_ms {int} not null,
      primary key (repo_id, oid)
    ) {clustered}`,
    "create index lfs_objects_oid on lfs_objects (oid)",

    `create table lfs_locks (
      id {id},
      repo_id {int} not null references repositories (id) on delete cascade,
      account_id {int} not null references accounts (id) on delete cascade,
      path {text} not null,
      created_ms {int} not null
    ) {table}`,
    "create unique index lfs_locks_path on lfs_locks (repo_id, path)",
    "create index lfs_locks_id on lfs_locks (repo_id, id)",
    "create index lfs_locks_account on lfs_locks (account_id)",
  ],
};
