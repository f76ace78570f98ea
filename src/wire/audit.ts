import type { Static } from "typebox";
import { anything, int, list, mapOf, nullable, record, text, time } from "./schema.ts";

export const AuditName = record("AuditName", {
  /** Null for the server, its operator, and what has no number. */
  id: nullable(int()),
  /** The name of that moment. */
  name: text(),
});

export const AuditTarget = record("AuditTarget", { kind: text(), id: nullable(int()), name: text() });

export const AuditEntry = record("AuditEntry", {
  id: int(),
  created_at: time(),
  action: text(),
  actor: AuditName,
  /** As whom an administrator acted. */
  acting_as: nullable(AuditName),
  carrier: text(),
  credential_id: nullable(int()),
  address: text(),
  target: AuditTarget,
  /** Whose access was changed. */
  account: nullable(AuditName),
  details: mapOf(anything()),
});
export type AuditEntry = Static<typeof AuditEntry>;

export const AuditPage = record("AuditPage", {
  entries: list(AuditEntry),
  /** The `cursor` of the page of older entries; null where there is none. */
  next: nullable(int()),
});
export type AuditPage = Static<typeof AuditPage>;
