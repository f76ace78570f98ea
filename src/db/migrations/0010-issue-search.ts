import type { Migration } from "./migration.ts";

/**
 * Trigram index of issues and comments, for searching parts of words. Texts are folded by the application, so that both databases compare
 * them alike. SQLite stores the index only, and triggers delete its rows, because virtual tables have no foreign keys. PostgreSQL stores the
 * indexed text.
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
