import type { Migration } from "./migration.ts";

export const storedFiles: Migration = {
  id: 37,
  name: "uploaded files are kept once for each content",
  statements: [
    // A content, and the copy of it in the store of files. A copy belongs to one row: the same content that comes again after this row went is another copy.
    `create table stored_files (
      digest {text} not null primary key,
      size_bytes {int} not null,
      file {text} not null,
      created_ms {int} not null
    ) {clustered}`,
    "create unique index stored_files_file on stored_files (file)",

    // What was kept before has a name of no content for its digest.
    "insert into stored_files (digest, size_bytes, file, created_ms) select oid, max(size_bytes), min(file), min(created_ms) from lfs_objects group by oid",
    "insert into stored_files (digest, size_bytes, file, created_ms) select file, size_bytes, file, created_ms from attachments",

    "drop index lfs_objects_file",
    "alter table lfs_objects rename to former_lfs_objects",
    `create table lfs_objects (
      repo_id {int} not null references repositories (id) on delete cascade,
      oid {text} not null references stored_files (digest),
      size_bytes {int} not null,
      created_ms {int} not null,
      primary key (repo_id, oid)
    ) {clustered}`,
    "create index lfs_objects_oid on lfs_objects (oid)",
    "insert into lfs_objects (repo_id, oid, size_bytes, created_ms) select repo_id, oid, size_bytes, created_ms from former_lfs_objects",
    "drop table former_lfs_objects",

    "alter table attachments rename to former_attachments",
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
    `insert into attachments (id, uuid, repo_id, issue_id, comment_id, release_id, uploader_id, name, size_bytes, digest, download_count, created_ms)
      select id, uuid, repo_id, issue_id, comment_id, release_id, uploader_id, name, size_bytes, file, download_count, created_ms from former_attachments`,
    "drop table former_attachments",
    {
      sqlite: null,
      postgres: "select setval(pg_get_serial_sequence('attachments', 'id'), coalesce(max(id), 0) + 1, false) from attachments",
    },
    "create unique index attachments_uuid on attachments (uuid)",
    "create index attachments_issue on attachments (issue_id, comment_id, id) where issue_id is not null",
    "create index attachments_comment on attachments (comment_id, id) where comment_id is not null",
    "create index attachments_release on attachments (release_id, id) where release_id is not null",
    "create index attachments_repo on attachments (repo_id)",
    "create index attachments_uploader on attachments (uploader_id) where uploader_id is not null",
    "create index attachments_digest on attachments (digest)",
  ],
};
