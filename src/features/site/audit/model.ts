/** How whoever did something proved who he is: the kind of a credential; `cli` for the operator's commands, `system` for the server itself. */
export type Carrier = string;

export interface Named {
  /** Null for what has no number. */
  readonly id: number | null;
  readonly name: string;
}

/** What an event tells of: the thing that was changed, whose access it is, and the rest. */
export interface Told {
  readonly target: Named & { readonly kind: TargetKind };
  /** The name may be left out: it is that of the account now. */
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
  | "gpg_key"
  | "source"
  | "schedule"
  | "job"
  | "session"
  | "application"
  | "hook"
  | "audit_log";

/** A row of the log; all names are those of the moment. */
export interface AuditEntry {
  readonly id: number;
  readonly createdMs: number;
  readonly action: string;
  readonly actor: Named;
  /** As whom an administrator acted. */
  readonly actingAs: Named | null;
  readonly carrier: Carrier;
  readonly credentialId: number | null;
  /** Empty where nothing came over a network. */
  readonly address: string;
  readonly target: Named & { readonly kind: string };
  /** Whose access it is; null where it is nobody's in particular. */
  readonly account: Named | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/** What is left out filters nothing. */
export interface AuditQuery {
  /** A user's present name; for one who is gone, the name that he had. */
  readonly actor?: string | undefined;
  /** The same of whose access was changed. */
  readonly account?: string | undefined;
  /** A type of event such as `team.created`, or the part before the dot. */
  readonly action?: string | undefined;
  /** The name that the thing had: `acme`, `acme/site`, `acme:developers`. */
  readonly target?: string | undefined;
  readonly sinceMs?: number | undefined;
  readonly beforeMs?: number | undefined;
  /** Only entries older than this one. */
  readonly cursor?: number | undefined;
  readonly limit: number;
}

export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  /** The cursor of the page of older entries; null where there is none. */
  readonly next: number | null;
}
