import type { Static } from "typebox";
import { anything, int, list, mapOf, nullable, record, text, time } from "./schema.ts";

export const AuditName = record("AuditName", {
  /** Null for the server, its operator, and subjects without an id. */
  id: nullable(int()),
  /** The name at that time. */
  name: text(),
});

export const AuditTarget = record("AuditTarget", { kind: text(), id: nullable(int()), name: text() });

export const AuditEntry = record("AuditEntry", {
  id: int(),
  created_at: time(),
  action: text(),
  actor: AuditName,
  /** The user that an administrator acted as. */
  acting_as: nullable(AuditName),
  carrier: text(),
  credential_id: nullable(int()),
  address: text(),
  target: AuditTarget,
  /** The account whose access was changed. */
  account: nullable(AuditName),
  details: mapOf(anything()),
});
export type AuditEntry = Static<typeof AuditEntry>;

export const AuditPage = record("AuditPage", {
  entries: list(AuditEntry),
  /** The `cursor` of the page of older entries; null on the last page. */
  next: nullable(int()),
});
export type AuditPage = Static<typeof AuditPage>;
