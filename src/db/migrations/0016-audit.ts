import type { Migration } from "./migration.ts";

const refused = "the audit log is only added to";

export const audit: Migration = {
  id: 16,
  name: "audit log",
  statements: [
    // No foreign keys: entries outlive the accounts and repositories that they describe.
    `create table audit_log (
      id {id},
      created_ms {int} not null,
      action {text} not null,
      actor_id {int},
      actor_name {text} not null,
      actor_folded {text} not null,
      acting_as_id {int},
      acting_as_name {text} not null,
      carrier {text} not null,
      credential_id {int},
      address {text} not null,
      target_kind {text} not null,
      target_id {int},
      target_name {text} not null,
      target_folded {text} not null,
      account_id {int},
      account_name {text} not null,
      account_folded {text} not null,
      details {text} not null
    ) {table}`,
    "create index audit_log_created on audit_log (created_ms)",
    "create index audit_log_action on audit_log (action, id)",
    "create index audit_log_actor on audit_log (actor_id, id)",
    "create index audit_log_actor_name on audit_log (actor_folded, id)",
    "create index audit_log_target on audit_log (target_folded, id)",
    "create index audit_log_account on audit_log (account_id, id)",
    "create index audit_log_account_name on audit_log (account_folded, id)",

    // Rows older than the latest pruning may be deleted. Triggers reject all other deletions and every update.
    `create table audit_prunings (
      id {id},
      before_ms {int} not null,
      created_ms {int} not null
    ) {table}`,
    {
      sqlite: `create trigger audit_log_update before update on audit_log begin select raise(abort, '${refused}'); end`,
      postgres: `create function audit_log_refuse() returns trigger language plpgsql as $$ begin raise exception '${refused}'; end $$`,
    },
    {
      sqlite: `create trigger audit_log_delete before delete on audit_log
        when not exists (select 1 from audit_prunings p where p.before_ms > old.created_ms)
        begin select raise(abort, '${refused}'); end`,
      postgres: `create function audit_log_keep() returns trigger language plpgsql as $$ begin
        if not exists (select 1 from audit_prunings p where p.before_ms > old.created_ms) then raise exception '${refused}'; end if;
        return old;
      end $$`,
    },
    { sqlite: null, postgres: "create trigger audit_log_update before update on audit_log for each row execute function audit_log_refuse()" },
    { sqlite: null, postgres: "create trigger audit_log_truncate before truncate on audit_log for each statement execute function audit_log_refuse()" },
    { sqlite: null, postgres: "create trigger audit_log_delete before delete on audit_log for each row execute function audit_log_keep()" },
  ],
};
