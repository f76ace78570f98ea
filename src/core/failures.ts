/** Why a synchronization with another server failed. `contents`: what the remote sent cannot be accepted. */
export const remoteFailures = ["blocked", "unreachable", "timeout", "authentication", "not_found", "protocol", "refused", "contents"] as const;
export type RemoteFailure = (typeof remoteFailures)[number];

/** Why a webhook was not delivered. */
export const deliveryFailures = [
  "blocked",
  "unreachable",
  "timeout",
  "redirect",
  "gone",
  "status",
  "unsendable",
  "deactivated",
  "deleted",
  "not_composed",
] as const;
export type DeliveryFailure = (typeof deliveryFailures)[number];
