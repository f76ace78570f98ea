import type { Reader } from "../../../../db/db.ts";
import { findAccountsOf } from "../store/identities.ts";
import { loadActiveSources } from "../store/sources.ts";

const plain = (address: string): string => address.replace(/\/+$/, "");

/** Accounts linked to subjects of a provider, by subject. At most two statements. @param issuer with or without a trailing slash */
export async function findLinkedAccounts(db: Reader, issuer: string, subjects: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const sources = (await loadActiveSources(db, "oidc")).filter(({ settings }) => plain(settings.issuer) === plain(issuer));
  if (sources.length === 0 || subjects.length === 0) return new Map();
  return findAccountsOf(
    db,
    sources.map(({ id }) => id),
    subjects,
  );
}
