import type { Migration } from "./migration.ts";

export const releases: Migration = {
  id: 26,
  name: "releases and their files",
  statements: [
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

    "alter table attachments add column release_id {int} references releases (id) on delete cascade",
    "create index attachments_release on attachments (release_id, id) where release_id is not null",
  ],
};
