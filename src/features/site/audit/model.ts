/** The credential behind a change: its kind; `cli` for the operator's commands, `system` for the server itself. */
export type Carrier = string;

export interface Named {
  /** Null for a target without an id. */
  readonly id: number | null;
  readonly name: string;
}

/** An event's target, the affected account, and further details. */
export interface AuditDetails {
  readonly target: Named & { readonly kind: TargetKind };
  /** Without a name, the account's current name is used. */
  readonly account?: { readonly id: number; readonly name?: string };
  readonly details: Readonly<Record<string, unknown>>;
}

export type TargetKind =
  | "user"
  | "organization"
  | "account"
  | "team"
  | "repository"
  | "token"
  | "public_key"
  | "ssh_principal"
  | "gpg_key"
  | "source"
  | "schedule"
  | "job"
  | "session"
  | "application"
  | "hook"
  | "audit_log"
  | "action_secret"
  | "action_variable"
  | "action_workflow"
  | "action_runner";

/** A row of the log; all names are those at the time. */
export interface AuditEntry {
  readonly id: number;
  readonly createdMs: number;
  readonly action: string;
  readonly actor: Named;
  /** The account as which an administrator acted. */
  readonly actingAs: Named | null;
  readonly carrier: Carrier;
  readonly credentialId: number | null;
  /** Empty for changes without a network request. */
  readonly address: string;
  readonly target: Named & { readonly kind: string };
  /** The affected account; null if there is none in particular. */
  readonly account: Named | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Absent fields do not filter. */
export interface AuditQuery {
  /** A user's current name, or a deleted user's last name. */
  readonly actor?: string | undefined;
  /** The same for the affected account. */
  readonly account?: string | undefined;
  /** A type of event such as `team.created`, or the part before the dot. */
  readonly action?: string | undefined;
  /** The target's name at the time: `acme`, `acme/site`, `acme:developers`. */
  readonly target?: string | undefined;
  readonly sinceMs?: number | undefined;
  readonly beforeMs?: number | undefined;
  /** Only entries older than this one. */
  readonly cursor?: number | undefined;
  readonly limit: number;
}

export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  /** The cursor for older entries; null if there are none. */
  readonly next: number | null;
}
