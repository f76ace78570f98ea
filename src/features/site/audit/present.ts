import { formatTime } from "../../../core/time.ts";
import type { AuditEntry as WireEntry, AuditPage as WirePage } from "../../../wire/audit.ts";
import type { AuditEntry, AuditPage } from "./model.ts";

export const presentEntry = (entry: AuditEntry): WireEntry => ({
  id: entry.id,
  created_at: formatTime(entry.createdMs),
  action: entry.action,
  actor: entry.actor,
  acting_as: entry.actingAs,
  carrier: entry.carrier,
  credential_id: entry.credentialId,
  address: entry.address,
  target: entry.target,
  account: entry.account,
  details: entry.details,
});

export const presentPage = ({ entries, next }: AuditPage): WirePage => ({ entries: entries.map(presentEntry), next });
