import type { Migration } from "./migration.ts";

/** Names of accounts `a`, and the addresses that only administrators search. */
const columns = "name, full_name, email";
const textsOf = "a.id, a.name_folded, lower(a.full_name), lower(a.email)";
const hasNewText = "old.name_folded <> new.name_folded or old.full_name <> new.full_name or old.email <> new.email";
const write = `insert into account_texts (rowid, ${columns}) select ${textsOf} from accounts a where a.id = new.id;`;

const oneOf = (row: "new" | "old", n: 1 | -1): string => `select ${row}.kind as kind, ${row}.visibility as visibility, ${n} as n`;
/** Transactions of one moment have their own shards in PostgreSQL, so that they do not conflict. */
const addAccounts = (rows: readonly string[], shard: string): string => `
  insert into account_totals (kind, visibility, shard, n)
    select kind, visibility, ${shard}, sum(n) from (${rows.join(" union all ")}) changes group by kind, visibility having sum(n) <> 0
    on conflict (kind, visibility, shard) do update set n = account_totals.n + excluded.n;`;
const shard = "pg_backend_pid() % 64";

/** Lists of users and organizations: a trigram index of their names, stored totals, and indexes of their orders. */
export const accountTexts: Migration = {
  id: 38,
  name: "names of accounts",
  statements: [
    {
      sqlite: `create virtual table account_texts using fts5 (${columns}, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1')`,
      postgres: `create table account_texts (
        id bigint primary key references accounts (id) on delete cascade,
        name text collate "C" not null,
        full_name text collate "C" not null,
        email text collate "C" not null
      )`,
    },
    {
      sqlite: `insert into account_texts (rowid, ${columns}) select ${textsOf} from accounts a`,
      postgres: `insert into account_texts (id, ${columns}) select ${textsOf} from accounts a`,
    },
    {
      sqlite: `create trigger account_texts_made after insert on accounts begin ${write} end`,
      postgres: `create index account_texts_content on account_texts
        using gin (name gin_trgm_ops, full_name gin_trgm_ops, email gin_trgm_ops) with (gin_pending_list_limit = 512)`,
    },
    {
      sqlite: `create trigger account_texts_moved after update of name_folded, full_name, email on accounts when ${hasNewText} begin
        delete from account_texts where rowid = new.id;
        ${write}
      end`,
      postgres: `create function account_texts_moved() returns trigger language plpgsql as $$ begin
        insert into account_texts (id, ${columns}) select ${textsOf} from accounts a where a.id = new.id
          on conflict (id) do update set (${columns}) = row (excluded.name, excluded.full_name, excluded.email);
        return null;
      end $$`,
    },
    {
      sqlite: "create trigger account_texts_gone after delete on accounts begin delete from account_texts where rowid = old.id; end",
      postgres: "create trigger account_texts_made after insert on accounts for each row execute function account_texts_moved()",
    },
    {
      sqlite: null,
      postgres: `create trigger account_texts_moved after update of name_folded, full_name, email on accounts for each row
        when (${hasNewText}) execute function account_texts_moved()`,
    },

    `create table account_totals (
      kind {text} not null,
      visibility {text} not null,
      shard {int} not null,
      n {int} not null,
      primary key (kind, visibility, shard)
    ) {clustered}`,
    "insert into account_totals (kind, visibility, shard, n) select kind, visibility, 0, count(*) from accounts group by kind, visibility",
    {
      sqlite: `create trigger accounts_counted after insert on accounts begin ${addAccounts([oneOf("new", 1)], "0")} end`,
      postgres: `create function account_totals_moved() returns trigger language plpgsql as $$ begin
        if tg_op = 'DELETE' then ${addAccounts([oneOf("old", -1)], shard)}
        elsif tg_op = 'INSERT' then ${addAccounts([oneOf("new", 1)], shard)}
        else ${addAccounts([oneOf("old", -1), oneOf("new", 1)], shard)} end if;
        return null;
      end $$`,
    },
    {
      sqlite: `create trigger accounts_uncounted after delete on accounts begin ${addAccounts([oneOf("old", -1)], "0")} end`,
      postgres: "create trigger accounts_counted after insert or delete on accounts for each row execute function account_totals_moved()",
    },
    {
      sqlite: `create trigger accounts_moved after update of kind, visibility on accounts
        when old.kind <> new.kind or old.visibility <> new.visibility begin ${addAccounts([oneOf("old", -1), oneOf("new", 1)], "0")} end`,
      postgres: `create trigger accounts_moved after update of kind, visibility on accounts for each row
        when (old.kind is distinct from new.kind or old.visibility is distinct from new.visibility) execute function account_totals_moved()`,
    },
    "create index accounts_ids on accounts (kind, id)",
    "create index accounts_updated on accounts (kind, updated_ms, id)",
  ],
};
