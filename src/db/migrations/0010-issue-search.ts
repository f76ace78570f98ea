import type { Migration } from "./migration.ts";

/**
 * What issues and comments say, for looking for parts of words: an index of all sequences of three characters on both databases.
 * The texts are folded before they come here, so that both compare alike. SQLite keeps the index alone, and its rows go by triggers, because
 * virtual tables know no foreign keys; PostgreSQL keeps the text that its index is made of.
 */
export const issueSearch: Migration = {
  id: 10,
  name: "search of issues",
  statements: [
    { sqlite: null, postgres: "create extension if not exists pg_trgm" },
    {
      sqlite: "create virtual table issue_texts using fts5 (content, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1')",
      postgres: 'create table issue_texts (id bigint primary key references issues (id) on delete cascade, content text collate "C" not null)',
    },
    {
      sqlite: "create trigger issue_texts_gone after delete on issues begin delete from issue_texts where rowid = old.id; end",
      postgres: "create index issue_texts_content on issue_texts using gin (content gin_trgm_ops)",
    },
    {
      sqlite: "create virtual table comment_texts using fts5 (content, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1')",
      postgres: 'create table comment_texts (id bigint primary key references comments (id) on delete cascade, content text collate "C" not null)',
    },
    {
      sqlite: "create trigger comment_texts_gone after delete on comments when old.kind = 'comment' begin delete from comment_texts where rowid = old.id; end",
      postgres: "create index comment_texts_content on comment_texts using gin (content gin_trgm_ops)",
    },
  ],
};
