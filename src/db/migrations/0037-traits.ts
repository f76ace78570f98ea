import type { Migration } from "./migration.ts";

/**
 * Lists of repositories by kind, and of topics, have stored totals. `repositories.traits` is the sum of 1 private, 2 template, 4 archived, 8 mirror
 * and 16 fork of a repository that is not deleted. `repository_topics.audience` is the audience of the repository. The database maintains both,
 * whatever statement changes them.
 */
const isFork = (row: string): string =>
  `case when exists (select 1 from repositories parent where parent.id = ${row}.fork_of and parent.deleted_ms is null) then 16 else 0 end`;
const traitsOf = (row: string): string => `${row}.is_private + 2 * ${row}.is_template + 4 * ${row}.is_archived + 8 * ${row}.is_mirror + ${isFork(row)}`;
const setTraits = `update repositories set traits = ${traitsOf("repositories")}`;
const causes = "is_private, is_template, is_archived, is_mirror, fork_of";
const isDeletedOrRestored = "(old.deleted_ms is null) <> (new.deleted_ms is null)";

const oneOf = (row: "new" | "old", n: 1 | -1): string => `select ${row}.audience as audience, ${row}.traits as traits, ${n} as n`;
/** Transactions of one moment have their own shards in PostgreSQL, so that they do not conflict. */
const addRepositories = (rows: readonly string[], shard: string): string => `
  insert into repository_totals (audience, traits, shard, n)
    select audience, traits, ${shard}, sum(n) from (${rows.join(" union all ")}) changes group by audience, traits having sum(n) <> 0
    on conflict (audience, traits, shard) do update set n = repository_totals.n + excluded.n;`;
const shard = "pg_backend_pid() % 64";

const addTopic = `
  insert into topic_totals (topic_id, audience, n) select new.topic_id, new.audience, 1 where true
    on conflict (topic_id, audience) do update set n = topic_totals.n + 1;`;
const removeTopic = `
  update topic_totals set n = n - 1 where topic_id = old.topic_id and audience = old.audience;`;
const audienceOf = (row: string): string => `(select r.audience from repositories r where r.id = ${row}.repo_id)`;

export const traits: Migration = {
  id: 37,
  name: "traits of repositories",
  statements: [
    "alter table repositories add column traits {int} not null default 0",
    setTraits,
    { sqlite: "drop trigger repositories_moved", postgres: "drop trigger repositories_moved on repositories" },
    { sqlite: "drop trigger repositories_counted", postgres: "drop trigger repositories_counted on repositories" },
    { sqlite: "drop trigger repositories_uncounted", postgres: "drop function repository_totals_moved()" },
    "drop table repository_totals",
    `create table repository_totals (
      audience {int} not null,
      traits {int} not null,
      shard {int} not null,
      n {int} not null,
      primary key (audience, traits, shard)
    ) {clustered}`,
    "insert into repository_totals (audience, traits, shard, n) select audience, traits, 0, count(*) from repositories group by audience, traits",
    {
      sqlite: `create trigger repositories_moved after update of audience, traits on repositories
        when old.audience <> new.audience or old.traits <> new.traits begin ${addRepositories([oneOf("old", -1), oneOf("new", 1)], "0")} end`,
      postgres: `create function repository_totals_moved() returns trigger language plpgsql as $$ begin
        if tg_op = 'DELETE' then ${addRepositories([oneOf("old", -1)], shard)}
        elsif tg_op = 'INSERT' then ${addRepositories([oneOf("new", 1)], shard)}
        else ${addRepositories([oneOf("old", -1), oneOf("new", 1)], shard)} end if;
        return null;
      end $$`,
    },
    {
      sqlite: `create trigger repositories_counted after insert on repositories begin ${addRepositories([oneOf("new", 1)], "0")} end`,
      postgres: "create trigger repositories_counted after insert or delete on repositories for each row execute function repository_totals_moved()",
    },
    {
      sqlite: `create trigger repositories_uncounted after delete on repositories begin ${addRepositories([oneOf("old", -1)], "0")} end`,
      postgres: `create trigger repositories_moved after update on repositories for each row
        when (old.audience is distinct from new.audience or old.traits is distinct from new.traits) execute function repository_totals_moved()`,
    },
    {
      sqlite: `create trigger repositories_traits_made after insert on repositories
        when new.fork_of is not null or new.is_private + new.is_template + new.is_archived + new.is_mirror > 0 begin ${setTraits} where id = new.id; end`,
      postgres: `create function repository_traits() returns trigger language plpgsql as $$ begin
        new.traits := ${traitsOf("new")};
        return new;
      end $$`,
    },
    {
      sqlite: `create trigger repositories_traits_moved after update of ${causes} on repositories begin ${setTraits} where id = new.id; end`,
      postgres: `create trigger repositories_traits before insert or update of ${causes} on repositories for each row execute function repository_traits()`,
    },
    {
      sqlite: `create trigger repositories_parent_moved after update of deleted_ms on repositories when ${isDeletedOrRestored} begin
        ${setTraits} where fork_of = new.id;
      end`,
      postgres: `create function repository_parent_moved() returns trigger language plpgsql as $$ begin
        update repositories set fork_of = fork_of where fork_of = new.id;
        return null;
      end $$`,
    },
    {
      sqlite: null,
      postgres: `create trigger repositories_parent_moved after update of deleted_ms on repositories for each row
        when (${isDeletedOrRestored}) execute function repository_parent_moved()`,
    },
    "create index repositories_traits on repositories (traits, audience, id)",

    "alter table repository_topics add column audience {int} not null default 0",
    `update repository_topics set audience = ${audienceOf("repository_topics")}`,
    `create table topic_totals (
      topic_id {int} not null references topics (id) on delete cascade,
      audience {int} not null,
      n {int} not null,
      primary key (topic_id, audience)
    ) {clustered}`,
    "insert into topic_totals (topic_id, audience, n) select topic_id, audience, count(*) from repository_topics group by topic_id, audience",
    {
      sqlite: `create trigger repository_topics_made after insert on repository_topics begin
        ${addTopic}
        update repository_topics set audience = ${audienceOf("new")} where repo_id = new.repo_id and topic_id = new.topic_id;
      end`,
      postgres: `create function repository_topic_made() returns trigger language plpgsql as $$ begin
        new.audience := ${audienceOf("new")};
        return new;
      end $$`,
    },
    {
      sqlite: `create trigger repository_topics_moved after update of audience on repository_topics when old.audience <> new.audience begin
        ${removeTopic}${addTopic}
      end`,
      postgres: "create trigger repository_topics_made before insert on repository_topics for each row execute function repository_topic_made()",
    },
    {
      sqlite: `create trigger repository_topics_gone after delete on repository_topics begin ${removeTopic} end`,
      postgres: `create function topic_totals_moved() returns trigger language plpgsql as $$ begin
        if tg_op <> 'INSERT' then ${removeTopic} end if;
        if tg_op <> 'DELETE' then ${addTopic} end if;
        return null;
      end $$`,
    },
    {
      sqlite: `create trigger repositories_topics_moved after update of audience on repositories when old.audience <> new.audience begin
        update repository_topics set audience = new.audience where repo_id = new.id;
      end`,
      postgres: `create trigger repository_topics_counted after insert or delete or update of audience on repository_topics for each row
        execute function topic_totals_moved()`,
    },
    {
      sqlite: null,
      postgres: `create function repository_topics_moved() returns trigger language plpgsql as $$ begin
        update repository_topics set audience = new.audience where repo_id = new.id;
        return null;
      end $$`,
    },
    {
      sqlite: null,
      postgres: `create trigger repositories_topics_moved after update on repositories for each row
        when (old.audience is distinct from new.audience) execute function repository_topics_moved()`,
    },
    "create index topics_used on topics (repo_count desc, name)",
  ],
};
