/** Why a host could not be called. */
export const callFailures = ["blocked", "unknown_host", "connection_refused", "certificate", "unreachable", "timeout"] as const;
export type CallFailure = (typeof callFailures)[number];

/** Why a synchronization with another server failed. `status`: an error of that server. `contents`: what the remote sent cannot be accepted. */
export const remoteFailures = [...callFailures, "authentication", "not_found", "protocol", "status", "refused", "contents"] as const;
export type RemoteFailure = (typeof remoteFailures)[number];

/** Why reading the API of another server failed, which has its issues and releases. */
export type ApiFailure = "api" | "rate_limit" | "too_many_items";

/** Failures whose text contains values. */
export interface MigrationFailureValues {
  readonly status: { readonly status: number };
  readonly too_large: { readonly maxBytes: number };
  readonly owner_storage_limit: { readonly maxBytes: number };
  readonly repository_limit: { readonly max: number };
}

export type PlainMigrationFailure =
  | Exclude<RemoteFailure, "status">
  | ApiFailure
  | "repository_exists"
  | "not_permitted"
  | "owner_not_found"
  | "credentials_unreadable"
  | "server_stopped"
  | "server_error";

/** Why a migration failed. */
export type MigrationFailure =
  | { readonly code: PlainMigrationFailure }
  | { readonly [C in keyof MigrationFailureValues]: { readonly code: C } & MigrationFailureValues[C] }[keyof MigrationFailureValues];

/** Why a webhook was not delivered. */
export const deliveryFailures = [...callFailures, "redirect", "gone", "status", "unsendable", "deactivated", "deleted", "not_composed"] as const;
export type DeliveryFailure = (typeof deliveryFailures)[number];
