import type { Migration } from "./migration.ts";

/** Invitations to teams, sent by email. */
export const organizationInvitations: Migration = {
  id: 59,
  name: "organization invitations",
  statements: [
    `create table organization_invitations (
      id {id},
      org_id {int} not null references accounts (id) on delete cascade,
      team_id {int} not null references teams (id) on delete cascade,
      inviter_id {int} not null references accounts (id) on delete cascade,
      email {text} not null,
      folded {text} not null,
      code_hash {text} not null unique,
      sent_ms {int} not null,
      expires_ms {int} not null,
      unique (team_id, folded)
    ) {table}`,
    "create index organization_invitations_org on organization_invitations (org_id, id)",
    "create index organization_invitations_inviter on organization_invitations (inviter_id)",
  ],
};
