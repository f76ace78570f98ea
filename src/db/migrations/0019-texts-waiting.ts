import type { Migration } from "./migration.ts";

/** The write of the last of this many texts moves all of them into the index. */
const maxPendingTexts = 64;

/**
 * For every commit that adds a text SQLite writes a segment of its full-text index and later merges it, which is nine tenths of the cost of a
 * short text. New texts are therefore kept in a separate table, which searches read too. PostgreSQL has this built in.
 */
const pendingTexts = (texts: string, of: string): readonly { sqlite: string; postgres: null }[] => [
  {
    sqlite: `create table ${texts}_waiting (slot integer primary key, id integer not null unique references ${of} (id) on delete cascade, content text not null) strict`,
    postgres: null,
  },
  {
    sqlite: `create trigger ${texts}_entered after insert on ${texts}_waiting when new.slot >= ${maxPendingTexts} begin
      insert into ${texts} (rowid, content) select id, content from ${texts}_waiting;
      delete from ${texts}_waiting;
    end`,
    postgres: null,
  },
];

export const textsWaiting: Migration = {
  id: 19,
  name: "texts that wait for the index",
  statements: [...pendingTexts("issue_texts", "issues"), ...pendingTexts("comment_texts", "comments")],
};
