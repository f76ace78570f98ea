import type { Mode, Unit } from "../access/repository.ts";

/**
 * Changes of access: permissions and credentials. These events are kept in the audit log, in the transaction that records them:
 * `recordEvent` requires their author, and the audit log does not compile until it describes each of them.
 * Payloads contain ids and the names at that time, never secrets.
 */
export interface AccessEvents {
  "account.created": AccountEvent & { readonly isAdmin?: boolean };
  "account.updated": AccountEvent & { readonly changes?: Changes };
  "account.renamed": AccountEvent & { readonly formerName: string };
  "account.deleted": AccountEvent;
  /** The user has downloaded their data. */
  "account.data_downloaded": AccountEvent;
  "password.changed": AccountEvent;
  "email.added": EmailEvent;
  "email.removed": EmailEvent;
  "two_factor.enabled": AccountEvent;
  "two_factor.removed": AccountEvent;
  "two_factor.codes_renewed": AccountEvent;
  /** A recovery code was used in place of the authenticator app. */
  "two_factor.recovered": AccountEvent;
  "email.verified": EmailEvent;
  "token.created": TokenEvent & { readonly scopes: readonly string[] };
  "token.deleted": TokenEvent;
  "public_key.created": PublicKeyEvent;
  "public_key.deleted": PublicKeyEvent;
  /** Principals of SSH certificates; the fingerprint is the principal. */
  "ssh_principal.created": PublicKeyEvent;
  "ssh_principal.deleted": PublicKeyEvent;
  /** Keys that verify commit signatures. The fingerprint of an OpenPGP key is that of the primary key, not of a subkey. */
  "gpg_key.created": PublicKeyEvent;
  "gpg_key.verified": PublicKeyEvent;
  "gpg_key.deleted": PublicKeyEvent;
  "deploy_key.created": DeployKeyEvent;
  "deploy_key.deleted": DeployKeyEvent;
  "block.created": BlockEvent;
  "block.deleted": BlockEvent;
  "team.created": TeamEvent & { readonly rights: TeamRights };
  "team.updated": TeamEvent & { readonly formerName: string; readonly rights: TeamRights };
  "team.deleted": TeamEvent;
  "team.member_added": TeamEvent & Member;
  "team.member_removed": TeamEvent & Member;
  /** An address was invited by email; the payload does not show whether it has an account. */
  "team.invitation_sent": TeamEvent & { readonly email: string };
  "team.invitation_revoked": TeamEvent & { readonly email: string };
  /** The author, who is also the member, used the link of an invitation. */
  "team.invitation_accepted": TeamEvent & Member;
  "team.repository_added": TeamEvent & { readonly repoId: number; readonly name: string };
  "team.repository_removed": TeamEvent & { readonly repoId: number; readonly name: string };
  "organization.member_removed": OrganizationEvent & Member;
  "collaborator.added": RepoEvent & Member & { readonly mode: Mode };
  "collaborator.changed": RepoEvent & Member & { readonly mode: Mode; readonly formerMode: Mode };
  "collaborator.removed": RepoEvent & Member;
  "repo.created": RepoEvent & { readonly isPrivate?: boolean };
  "repo.renamed": RepoEvent & { readonly formerName: string };
  /** The transfer waits for the new owner, the member; `repo.transferred` is recorded when they accept it. */
  "repo.transfer_requested": RepoEvent & Member;
  /** The new owner rejects the transfer, or the old owner cancels it. */
  "repo.transfer_rejected": RepoEvent & Member;
  "repo.transferred": RepoEvent & { readonly formerOwnerId: number; readonly formerOwnerName: string };
  "repo.deleted": RepoEvent;
  "repo.restored": RepoEvent;
  /** A deleted repository was purged before the end of its retention. */
  "repo.purged": RepoEvent;
  /** All pages of the wiki were deleted, with their history. */
  "repo.wiki_deleted": RepoEvent;
  "repo.visibility_changed": RepoEvent & { readonly isPrivate: boolean };
  "repo.archived": RepoEvent;
  "repo.unarchived": RepoEvent;
  /** An issue or pull request was deleted; `issue.deleted` is recorded too. */
  "repo.issue_deleted": RepoEvent & AffectedIssue;
  /** An issue was transferred to another repository; `issue.transferred` is recorded too. */
  "repo.issue_transferred": RepoEvent & AffectedIssue & { readonly toRepoId: number; readonly to: string };
  "branch_protection.created": ProtectionEvent;
  "branch_protection.updated": ProtectionEvent;
  "branch_protection.deleted": ProtectionEvent;
  "tag_protection.created": ProtectionEvent;
  "tag_protection.updated": ProtectionEvent;
  "tag_protection.deleted": ProtectionEvent;
  "push_mirror.created": PushMirrorEvent;
  "push_mirror.deleted": PushMirrorEvent;
  "badge.added": BadgeEvent;
  "badge.removed": BadgeEvent;
  "source.created": SourceEvent;
  "source.updated": SourceEvent & { readonly isActive: boolean };
  "source.deleted": SourceEvent;
  "identity.linked": IdentityEvent;
  "identity.unlinked": IdentityEvent;
  "session.started": SessionEvent;
  /** Ended by its owner. Sessions that end by age or by a password change record no event. */
  "session.ended": SessionEvent;
  "oauth2_application.created": ApplicationEvent;
  "oauth2_application.updated": ApplicationEvent;
  "oauth2_application.deleted": ApplicationEvent;
  "oauth2_grant.given": GrantEvent & { readonly scopes: readonly string[] };
  "oauth2_grant.revoked": GrantEvent;
  /** A code or refresh token was used a second time; all tokens derived from it were revoked. */
  "oauth2_grant.misused": GrantEvent & { readonly shown: "code" | "refresh token" };
  "hook.created": HookEvent;
  "hook.updated": HookEvent;
  "hook.deleted": HookEvent;
  "action_secret.created": ActionsEvent;
  "action_secret.updated": ActionsEvent;
  "action_secret.deleted": ActionsEvent;
  "action_variable.created": ActionsEvent;
  "action_variable.updated": ActionsEvent;
  "action_variable.deleted": ActionsEvent;
  /** An organization requires a workflow file in its repositories, or does not any more. */
  "action_workflow.required": ActionsEvent;
  "action_workflow.not_required": ActionsEvent;
  /** By the registration token; the event has no author. */
  "action_runner.registered": ActionsEvent;
  "action_runner.updated": ActionsEvent & { readonly isDisabled: boolean };
  "action_runner.deleted": ActionsEvent;
  /** A new registration token replaces the earlier ones. */
  "action_runner.token_renewed": ActionsEvent;
  "schedule.requested": { readonly name: string };
  /** A permanently failed job was retried. */
  "job.retried": { readonly jobId: number; readonly kind: string };
  /** A permanently failed job was dropped. */
  "job.dropped": { readonly jobId: number; readonly kind: string };
  "audit.pruned": { readonly before: string; readonly count: number };
}
export type AccessEventType = keyof AccessEvents;

export interface AccountEvent {
  readonly accountId: number;
  readonly name: string;
  readonly kind: "user" | "organization";
}

/** Changed fields by name, each with its old and new value. */
export type Changes = Readonly<Record<string, readonly [from: string | number | boolean, to: string | number | boolean]>>;

export interface EmailEvent {
  readonly accountId: number;
  readonly name: string;
  readonly emails: readonly string[];
}

export interface TokenEvent {
  readonly accountId: number;
  readonly tokenId: number;
  readonly name: string;
}

/** `fingerprint` of an OpenPGP key is that of the primary key, not of a subkey. */
export interface PublicKeyEvent {
  readonly accountId: number;
  readonly keyId: number;
  readonly fingerprint: string;
}

export interface DeployKeyEvent {
  readonly repoId: number;
  /** `owner/name`. */
  readonly repoName: string;
  readonly deployKeyId: number;
  readonly fingerprint: string;
  readonly isReadOnly: boolean;
}

/** A branch or tag protection rule. */
export interface ProtectionEvent {
  readonly repoId: number;
  /** `owner/name`. */
  readonly repoName: string;
  readonly pattern: string;
}

/** A remote repository that receives all refs of this one. */
export interface PushMirrorEvent {
  readonly repoId: number;
  /** `owner/name`. */
  readonly repoName: string;
  readonly name: string;
  /** Without credentials. */
  readonly address: string;
}

export interface BlockEvent {
  readonly blockerId: number;
  readonly blockerName: string;
  readonly memberId: number;
  readonly memberName: string;
}

export interface OrganizationEvent {
  readonly orgId: number;
  readonly orgName: string;
}

export interface TeamEvent extends OrganizationEvent {
  readonly teamId: number;
  readonly teamName: string;
}

export interface TeamRights {
  readonly mode: "none" | "admin" | "owner";
  readonly units: Readonly<Partial<Record<Unit, Mode>>>;
  readonly includesAllRepositories: boolean;
  readonly canCreateRepositories: boolean;
}

/** The user whose access changes. */
export interface Member {
  readonly memberId: number;
  readonly memberName: string;
}

export interface RepoEvent {
  readonly repoId: number;
  readonly name: string;
  readonly ownerId: number;
  readonly ownerName: string;
}

/** The issue or pull request of an event of its repository. */
export interface AffectedIssue {
  readonly issue: string;
  readonly title: string;
  readonly isPull?: true;
}

export interface BadgeEvent {
  readonly accountId: number;
  readonly name: string;
  readonly badges: readonly string[];
}

/** A webhook. */
export interface HookEvent {
  readonly hookId: number;
  /** `owner/name` of a repository, the name of an account, or empty for a system webhook. */
  readonly ownerName: string;
  readonly scope: "repository" | "owner" | "system" | "default";
  readonly type: string;
  /** Host that it calls; may be empty. */
  readonly host: string;
  readonly isActive: boolean;
}

/** A secret, variable or runner of workflows. */
export interface ActionsEvent {
  readonly name: string;
  /** `owner/name` of a repository, the name of an account, or empty for the server. */
  readonly ownerName: string;
}

/** An external authentication source. */
export interface SourceEvent {
  readonly sourceId: number;
  readonly name: string;
  readonly kind: "ldap" | "oidc";
}

/** A link between an account and an identity at a provider. */
export interface IdentityEvent {
  readonly accountId: number;
  readonly name: string;
  readonly sourceId: number;
  readonly sourceName: string;
  readonly subject: string;
}

/** Browser sessions of an account. */
export interface SessionEvent {
  readonly accountId: number;
  readonly name: string;
  readonly sessionIds: readonly number[];
}

/** An OAuth2 application and its owner. */
export interface ApplicationEvent {
  readonly applicationId: number;
  readonly applicationName: string;
  readonly clientId: string;
  readonly accountId: number;
  readonly name: string;
}

/** An account's authorization of an OAuth2 application. */
export interface GrantEvent {
  readonly accountId: number;
  readonly name: string;
  readonly applicationId: number;
  readonly applicationName: string;
}
