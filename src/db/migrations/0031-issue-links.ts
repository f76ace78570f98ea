import type { Migration } from "./migration.ts";

/**
 * What lists ask of an issue stands with its labels and assignees: a list that begins there looks at one index and nothing else, also to count.
 * An issue never changes its repository or kind; its state is carried over by the database, whoever changes it.
 */
const carried = (table: string, owner: string): Migration["statements"] => [
  `alter table ${table} add column repo_id {int} not null default 0`,
  `alter table ${table} add column is_pull {int} not null default 0`,
  `alter table ${table} add column is_closed {int} not null default 0`,
  `update ${table} set repo_id = i.repo_id, is_pull = i.is_pull, is_closed = i.is_closed from issues i where i.id = ${table}.issue_id`,
  `create index ${table}_listed on ${table} (${owner}, is_closed, issue_id, repo_id, is_pull)`,
  {
    sqlite: `create trigger ${table}_made after insert on ${table} begin
      update ${table} set (repo_id, is_pull, is_closed) = (select repo_id, is_pull, is_closed from issues where id = new.issue_id)
        where ${owner} = new.${owner} and issue_id = new.issue_id;
    end`,
    postgres: `create trigger ${table}_made before insert on ${table} for each row execute function issue_link_made()`,
  },
];

export const issueLinks: Migration = {
  id: 31,
  name: "issue links",
  statements: [
    {
      sqlite: null,
      postgres: `create function issue_link_made() returns trigger language plpgsql as $$ begin
        select repo_id, is_pull, is_closed into new.repo_id, new.is_pull, new.is_closed from issues where id = new.issue_id;
        return new;
      end $$`,
    },
    ...carried("issue_labels", "label_id"),
    ...carried("issue_assignees", "account_id"),
    {
      sqlite: `create trigger issues_state_moved after update of is_closed on issues when old.is_closed <> new.is_closed begin
        update issue_labels set is_closed = new.is_closed where issue_id = new.id;
        update issue_assignees set is_closed = new.is_closed where issue_id = new.id;
      end`,
      postgres: `create function issue_state_moved() returns trigger language plpgsql as $$ begin
        update issue_labels set is_closed = new.is_closed where issue_id = new.id;
        update issue_assignees set is_closed = new.is_closed where issue_id = new.id;
        return null;
      end $$`,
    },
    {
      sqlite: null,
      postgres: `create trigger issues_state_moved after update of is_closed on issues for each row
        when (old.is_closed is distinct from new.is_closed) execute function issue_state_moved()`,
    },
  ],
};
