import type {
  AccessEvents,
  AccessEventType,
  AccountEvent,
  ActionsEvent,
  ApplicationEvent,
  BadgeEvent,
  DeployKeyEvent,
  EmailEvent,
  GrantEvent,
  HookEvent,
  IdentityEvent,
  Member,
  ProtectionEvent,
  PublicKeyEvent,
  PushMirrorEvent,
  RepoEvent,
  SessionEvent,
  SourceEvent,
  TeamEvent,
} from "../../../events/access-events.ts";
import type { AuditDetails } from "./model.ts";

type Describe = { readonly [Type in AccessEventType]: (payload: AccessEvents[Type]) => AuditDetails };

const ofAccount = ({ accountId: id, name, kind, ...details }: AccountEvent): AuditDetails => ({ target: { kind, id, name }, account: { id, name }, details });
const ofUser = ({ accountId: id, name, ...details }: EmailEvent | BadgeEvent): AuditDetails => ({
  target: { kind: "user", id, name },
  account: { id, name },
  details,
});
const ofRepository = ({ repoId: id, name, ownerId: _, ownerName, ...details }: RepoEvent): AuditDetails => ({
  target: { kind: "repository", id, name: `${ownerName}/${name}` },
  details,
});
const ofTeam = ({ teamId: id, teamName, orgId: _, orgName, ...details }: TeamEvent): AuditDetails => ({
  target: { kind: "team", id, name: `${orgName}:${teamName}` },
  details,
});

const ofSource = ({ sourceId: id, name, ...details }: SourceEvent): AuditDetails => ({ target: { kind: "source", id, name }, details });
const ofIdentity = ({ accountId, name, sourceId, sourceName, ...details }: IdentityEvent): AuditDetails => ({
  target: { kind: "source", id: sourceId, name: sourceName },
  account: { id: accountId, name },
  details,
});

const ofHook = ({ hookId: id, ownerName: name, ...details }: HookEvent): AuditDetails => ({ target: { kind: "hook", id, name }, details });

const ofActions =
  (kind: "action_secret" | "action_variable" | "action_workflow" | "action_runner") =>
  ({ name, ...details }: ActionsEvent): AuditDetails => ({ target: { kind, id: null, name }, details });

const ofSession = ({ accountId: id, name, sessionIds }: SessionEvent): AuditDetails => {
  const [first, ...others] = sessionIds;
  return { target: { kind: "session", id: first ?? null, name: "" }, account: { id, name }, details: others.length === 0 ? {} : { others } };
};
const ofApplication = ({ applicationId, applicationName, accountId, name, ...details }: ApplicationEvent | GrantEvent): AuditDetails => ({
  target: { kind: "application", id: applicationId, name: applicationName },
  account: { id: accountId, name },
  details,
});

const ofKey =
  (kind: "public_key" | "ssh_principal" | "gpg_key") =>
  ({ accountId, keyId: id, fingerprint: name, ...details }: PublicKeyEvent): AuditDetails => ({
    target: { kind, id, name },
    account: { id: accountId },
    details,
  });

/** Events of a repository's parts have the repository as target. */
const ofOwnRepository = ({ repoId: id, repoName: name, ...details }: DeployKeyEvent | ProtectionEvent | PushMirrorEvent): AuditDetails => ({
  target: { kind: "repository", id, name },
  details,
});

/** The same for an event about one member. */
const about =
  <Event extends Member>(describe: (event: Omit<Event, keyof Member>) => AuditDetails) =>
  ({ memberId, memberName, ...event }: Event): AuditDetails => ({ ...describe(event), account: { id: memberId, name: memberName } });

/** The audit entry for each event that changes access. */
export const describeEvent: Describe = {
  "account.created": ofAccount,
  "account.updated": ofAccount,
  "account.renamed": ofAccount,
  "account.deleted": ofAccount,
  "account.data_downloaded": ofAccount,
  "password.changed": ofAccount,
  "two_factor.enabled": ofAccount,
  "two_factor.removed": ofAccount,
  "two_factor.codes_renewed": ofAccount,
  "two_factor.recovered": ofAccount,
  "email.added": ofUser,
  "email.removed": ofUser,
  "email.verified": ofUser,
  "badge.added": ofUser,
  "badge.removed": ofUser,
  "token.created": ({ accountId, tokenId, name, ...details }) => ({ target: { kind: "token", id: tokenId, name }, account: { id: accountId }, details }),
  "token.deleted": ({ accountId, tokenId, name, ...details }) => ({ target: { kind: "token", id: tokenId, name }, account: { id: accountId }, details }),
  "public_key.created": ofKey("public_key"),
  "public_key.deleted": ofKey("public_key"),
  "ssh_principal.created": ofKey("ssh_principal"),
  "ssh_principal.deleted": ofKey("ssh_principal"),
  "gpg_key.created": ofKey("gpg_key"),
  "gpg_key.verified": ofKey("gpg_key"),
  "gpg_key.deleted": ofKey("gpg_key"),
  "deploy_key.created": ofOwnRepository,
  "deploy_key.deleted": ofOwnRepository,
  "branch_protection.created": ofOwnRepository,
  "branch_protection.updated": ofOwnRepository,
  "branch_protection.deleted": ofOwnRepository,
  "tag_protection.created": ofOwnRepository,
  "tag_protection.updated": ofOwnRepository,
  "tag_protection.deleted": ofOwnRepository,
  "push_mirror.created": ofOwnRepository,
  "push_mirror.deleted": ofOwnRepository,
  "block.created": about(({ blockerId, blockerName, ...details }) => ({ target: { kind: "account", id: blockerId, name: blockerName }, details })),
  "block.deleted": about(({ blockerId, blockerName, ...details }) => ({ target: { kind: "account", id: blockerId, name: blockerName }, details })),
  "team.created": ofTeam,
  "team.updated": ofTeam,
  "team.deleted": ofTeam,
  "team.member_added": about(ofTeam),
  "team.member_removed": about(ofTeam),
  "team.invitation_sent": ofTeam,
  "team.invitation_revoked": ofTeam,
  "team.invitation_accepted": about(ofTeam),
  "team.repository_added": ofTeam,
  "team.repository_removed": ofTeam,
  "organization.member_removed": about(({ orgId, orgName, ...details }) => ({ target: { kind: "organization", id: orgId, name: orgName }, details })),
  "collaborator.added": about(ofRepository),
  "collaborator.changed": about(ofRepository),
  "collaborator.removed": about(ofRepository),
  "repo.created": ofRepository,
  "repo.renamed": ofRepository,
  "repo.transfer_requested": about(ofRepository),
  "repo.transfer_rejected": about(ofRepository),
  "repo.transferred": ofRepository,
  "repo.deleted": ofRepository,
  "repo.restored": ofRepository,
  "repo.purged": ofRepository,
  "repo.wiki_deleted": ofRepository,
  "repo.visibility_changed": ofRepository,
  "repo.archived": ofRepository,
  "repo.unarchived": ofRepository,
  "repo.issue_deleted": ofRepository,
  "repo.issue_transferred": ofRepository,
  "source.created": ofSource,
  "source.updated": ofSource,
  "source.deleted": ofSource,
  "identity.linked": ofIdentity,
  "identity.unlinked": ofIdentity,
  "session.started": ofSession,
  "session.ended": ofSession,
  "oauth2_application.created": ofApplication,
  "oauth2_application.updated": ofApplication,
  "oauth2_application.deleted": ofApplication,
  "oauth2_grant.given": ofApplication,
  "oauth2_grant.revoked": ofApplication,
  "oauth2_grant.misused": ofApplication,
  "hook.created": ofHook,
  "hook.updated": ofHook,
  "hook.deleted": ofHook,
  "action_secret.created": ofActions("action_secret"),
  "action_secret.updated": ofActions("action_secret"),
  "action_secret.deleted": ofActions("action_secret"),
  "action_variable.created": ofActions("action_variable"),
  "action_variable.updated": ofActions("action_variable"),
  "action_variable.deleted": ofActions("action_variable"),
  "action_workflow.required": ofActions("action_workflow"),
  "action_workflow.not_required": ofActions("action_workflow"),
  "action_runner.registered": ofActions("action_runner"),
  "action_runner.updated": ofActions("action_runner"),
  "action_runner.deleted": ofActions("action_runner"),
  "action_runner.token_renewed": ofActions("action_runner"),
  "schedule.requested": ({ name, ...details }) => ({ target: { kind: "schedule", id: null, name }, details }),
  "job.retried": ({ jobId: id, kind: name, ...details }) => ({ target: { kind: "job", id, name }, details }),
  "job.dropped": ({ jobId: id, kind: name, ...details }) => ({ target: { kind: "job", id, name }, details }),
  "audit.pruned": (details) => ({ target: { kind: "audit_log", id: null, name: "" }, details }),
};

/** All events that change access. */
export const accessEventTypes = Object.keys(describeEvent) as readonly AccessEventType[];

export const describe = <Type extends AccessEventType>(type: Type, payload: AccessEvents[Type]): AuditDetails => describeEvent[type](payload);
