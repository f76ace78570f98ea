import type { Migration } from "./migration.ts";

/** The insert of the last of this many texts moves all of them into SQLite's index, as for issues. */
const maxPendingTexts = 64;

/** Id, owner, name, topics and description of repositories `r`. */
const texts = (topics: string): string => `select r.id, o.name_folded, r.name_folded,
  coalesce((select ${topics} from repository_topics rt join topics t on t.id = rt.topic_id where rt.repo_id = r.id), ''), lower(r.description)
  from repositories r join accounts o on o.id = r.owner_id`;
const inSqlite = texts("group_concat(t.name, ' ')");
const inPostgres = texts("string_agg(t.name, ' ')");
const columns = "owner, name, topics, description";

/** SQLite: writes the texts of repositories `r` again. They wait for the index, as those of issues do. */
const rewrite = (which: string): string => `
  delete from repository_texts where rowid in (select r.id from repositories r where ${which});
  delete from repository_texts_waiting where id in (select r.id from repositories r where ${which});
  insert into repository_texts_waiting (id, ${columns}) ${inSqlite} where ${which};`;
const rewriteInPostgres = (which: string): string => `
  insert into repository_texts (id, ${columns}) ${inPostgres} where ${which}
    on conflict (id) do update set (${columns}) = row (excluded.owner, excluded.name, excluded.topics, excluded.description);`;

/** PostgreSQL: a function of a trigger that writes the texts of repositories `r` again. */
const rewriting = (name: string, which: string): string => `create function ${name}() returns trigger language plpgsql as $$ begin
  ${rewriteInPostgres(which)}
  return null;
end $$`;

const hasNewText = "old.name_folded <> new.name_folded or old.description <> new.description or old.owner_id <> new.owner_id";

const facts = "(repo_id, is_pull, is_closed, name) = (select i.repo_id, i.is_pull, i.is_closed, l.name from issues i, labels l";
const titleOf = (id: string): string => `(select m.title_folded from milestones m where m.id = ${id})`;

/**
 * Lists of a large site. Names and descriptions of repositories have a trigram index like that of issues. Issues are listed by the names of
 * labels and milestones that thousands of repositories have: the database copies these names to the rows that an index puts in the order of
 * the list.
 */
export const listsByName: Migration = {
  id: 29,
  name: "lists by name",
  statements: [
    {
      sqlite: `create virtual table repository_texts using fts5 (${columns}, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1')`,
      postgres: `create table repository_texts (
        id bigint primary key references repositories (id) on delete cascade,
        owner text collate "C" not null,
        name text collate "C" not null,
        topics text collate "C" not null,
        description text collate "C" not null
      )`,
    },
    {
      sqlite: `create table repository_texts_waiting (
        slot integer primary key,
        id integer not null unique references repositories (id) on delete cascade,
        owner text not null,
        name text not null,
        topics text not null,
        description text not null
      ) strict`,
      postgres: `create index repository_texts_content on repository_texts
        using gin (owner gin_trgm_ops, name gin_trgm_ops, topics gin_trgm_ops, description gin_trgm_ops) with (gin_pending_list_limit = 512)`,
    },
    {
      sqlite: `insert into repository_texts (rowid, ${columns}) ${inSqlite}`,
      postgres: `insert into repository_texts (id, ${columns}) ${inPostgres}`,
    },
    {
      sqlite: `create trigger repository_texts_entered after insert on repository_texts_waiting when new.slot >= ${maxPendingTexts} begin
        insert into repository_texts (rowid, ${columns}) select id, ${columns} from repository_texts_waiting;
        delete from repository_texts_waiting;
      end`,
      postgres: rewriting("repository_texts_moved", "r.id = new.id"),
    },
    {
      sqlite: `create trigger repository_texts_made after insert on repositories begin
        insert into repository_texts_waiting (id, ${columns}) ${inSqlite} where r.id = new.id;
      end`,
      postgres: "create trigger repository_texts_made after insert on repositories for each row execute function repository_texts_moved()",
    },
    {
      sqlite: `create trigger repository_texts_moved after update of name_folded, description, owner_id on repositories when ${hasNewText} begin
        ${rewrite("r.id = new.id")}
      end`,
      postgres: `create trigger repository_texts_moved after update of name_folded, description, owner_id on repositories for each row
        when (${hasNewText}) execute function repository_texts_moved()`,
    },
    {
      sqlite: "create trigger repository_texts_gone after delete on repositories begin delete from repository_texts where rowid = old.id; end",
      postgres: rewriting("repository_owners_renamed", "r.owner_id = new.id"),
    },
    {
      sqlite: `create trigger repository_owners_renamed after update of name_folded on accounts when old.name_folded <> new.name_folded begin
        ${rewrite("r.owner_id = new.id")}
      end`,
      postgres: `create trigger repository_owners_renamed after update of name_folded on accounts for each row
        when (old.name_folded <> new.name_folded) execute function repository_owners_renamed()`,
    },
    { sqlite: null, postgres: rewriting("repository_topics_added", "r.id = new.repo_id") },
    { sqlite: null, postgres: rewriting("repository_topics_removed", "r.id = old.repo_id") },
    {
      sqlite: `create trigger repository_topics_added after insert on repository_topics begin ${rewrite("r.id = new.repo_id")} end`,
      postgres: "create trigger repository_topics_added after insert on repository_topics for each row execute function repository_topics_added()",
    },
    {
      sqlite: `create trigger repository_topics_removed after delete on repository_topics begin ${rewrite("r.id = old.repo_id")} end`,
      postgres: "create trigger repository_topics_removed after delete on repository_topics for each row execute function repository_topics_removed()",
    },

    "alter table issue_labels add column name {text} not null default ''",
    "update issue_labels set name = (select l.name from labels l where l.id = issue_labels.label_id)",
    "create index issue_labels_named on issue_labels (name, is_pull, is_closed, issue_id, repo_id)",
    { sqlite: "drop trigger issue_labels_made", postgres: "drop trigger issue_labels_made on issue_labels" },
    {
      sqlite: `create trigger issue_labels_made after insert on issue_labels begin
        update issue_labels set ${facts} where i.id = new.issue_id and l.id = new.label_id)
          where label_id = new.label_id and issue_id = new.issue_id;
      end`,
      postgres: `create function issue_label_made() returns trigger language plpgsql as $$ begin
        select i.repo_id, i.is_pull, i.is_closed, l.name into new.repo_id, new.is_pull, new.is_closed, new.name
          from issues i, labels l where i.id = new.issue_id and l.id = new.label_id;
        return new;
      end $$`,
    },
    {
      sqlite: null,
      postgres: "create trigger issue_labels_made before insert on issue_labels for each row execute function issue_label_made()",
    },
    {
      sqlite: `create trigger labels_renamed after update of name on labels when old.name <> new.name begin
        update issue_labels set name = new.name where label_id = new.id;
      end`,
      postgres: `create function label_renamed() returns trigger language plpgsql as $$ begin
        update issue_labels set name = new.name where label_id = new.id;
        return null;
      end $$`,
    },
    {
      sqlite: null,
      postgres: `create trigger labels_renamed after update of name on labels for each row
        when (old.name is distinct from new.name) execute function label_renamed()`,
    },

    "create index labels_of_organizations on labels (name) where org_id is not null",

    "alter table issues add column milestone_title {text}",
    `update issues set milestone_title = ${titleOf("issues.milestone_id")} where milestone_id is not null`,
    "create index issues_milestone_title on issues (milestone_title, is_pull, is_closed, id, repo_id) where milestone_title is not null",
    {
      sqlite: `create trigger issues_milestone_made after insert on issues when new.milestone_id is not null begin
        update issues set milestone_title = ${titleOf("new.milestone_id")} where id = new.id;
      end`,
      postgres: `create function issue_milestone_moved() returns trigger language plpgsql as $$ begin
        new.milestone_title := ${titleOf("new.milestone_id")};
        return new;
      end $$`,
    },
    {
      sqlite: `create trigger issues_milestone_moved after update of milestone_id on issues when old.milestone_id is not new.milestone_id begin
        update issues set milestone_title = ${titleOf("new.milestone_id")} where id = new.id;
      end`,
      postgres: `create trigger issues_milestone_moved before insert or update of milestone_id on issues for each row
        execute function issue_milestone_moved()`,
    },
    {
      sqlite: `create trigger milestones_renamed after update of title_folded on milestones when old.title_folded <> new.title_folded begin
        update issues set milestone_title = new.title_folded where milestone_id = new.id;
      end`,
      postgres: `create function milestone_renamed() returns trigger language plpgsql as $$ begin
        update issues set milestone_title = new.title_folded where milestone_id = new.id;
        return null;
      end $$`,
    },
    {
      sqlite: null,
      postgres: `create trigger milestones_renamed after update of title_folded on milestones for each row
        when (old.title_folded is distinct from new.title_folded) execute function milestone_renamed()`,
    },
  ],
};
