import type { Migration } from "./migration.ts";

/** Many texts are entered together, by whoever brings the last of them. */
const mostWaiting = 64;

/**
 * SQLite writes a new piece of its index for every commit that adds a text, and joins the pieces again: of a short text that is nine tenths of the
 * work. So texts wait in a table beside it, which searches read as well, as PostgreSQL does by itself.
 */
const waiting = (texts: string, of: string): readonly { sqlite: string; postgres: null }[] => [
  {
    sqlite: `create table ${texts}_waiting (slot integer primary key, id integer not null unique references ${of} (id) on delete cascade, content text not null) strict`,
    postgres: null,
  },
  {
    sqlite: `create trigger ${texts}_entered after insert on ${texts}_waiting when new.slot >= ${mostWaiting} begin
      insert into ${texts} (rowid, content) select id, content from ${texts}_waiting;
      delete from ${texts}_waiting;
    end`,
    postgres: null,
  },
];

export const textsWaiting: Migration = {
  id: 19,
  name: "texts that wait for the index",
  statements: [...waiting("issue_texts", "issues"), ...waiting("comment_texts", "comments")],
};
