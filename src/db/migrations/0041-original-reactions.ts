import type { Migration } from "./migration.ts";

export const originalReactions: Migration = {
  id: 41,
  name: "reactions that were brought from elsewhere are nobody's here, or somebody's who is the same",
  statements: [
    "alter table reactions rename to former_reactions",
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
    `insert into reactions (issue_id, comment_id, account_id, content, created_ms)
      select issue_id, comment_id, account_id, content, created_ms from former_reactions order by id`,
    "drop table former_reactions",
    "create unique index reactions_issue on reactions (issue_id, account_id, content) where comment_id is null and account_id is not null",
    "create unique index reactions_comment on reactions (comment_id, account_id, content) where comment_id is not null and account_id is not null",
    "create index reactions_of_comment on reactions (comment_id) where comment_id is not null",
    "create index reactions_by_issue on reactions (issue_id)",
    "create index reactions_account on reactions (account_id) where account_id is not null",
  ],
};
