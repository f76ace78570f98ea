import type { ForeignAuthor, Tracker } from "../tracker.ts";
import type { TrackerSource } from "./tracker-source.ts";

/** Finds the accounts linked to subjects of an OpenID Connect provider, by subject. */
export type FindLinkedAccounts = (issuer: string, subjects: readonly string[]) => Promise<ReadonlyMap<string, number>>;

/** Local accounts by account id on the source, proven by users who linked them by signing in. */
export type SameAccounts = ReadonlyMap<number, number>;

/** At most two statements. */
export async function findSameAccounts(findLinked: FindLinkedAccounts, { issuer }: TrackerSource, tracker: Tracker): Promise<SameAccounts> {
  if (issuer === undefined) return new Map();
  const { issues, pulls, comments, reactions } = tracker;
  const authors = [...issues, ...pulls, ...comments, ...reactions].flatMap(({ author }) => (author.isAccount ? [author.id] : []));
  const chosen = [...[...issues, ...pulls].flatMap(({ assigneeIds }) => assigneeIds), ...pulls.flatMap(({ reviewerIds }) => reviewerIds)];
  const ids = new Set([...authors, ...chosen]);
  const linked = await findLinked(issuer, [...ids].map(String));
  return new Map([...linked].map(([subject, accountId]) => [Number(subject), accountId]));
}

export const accountOf = (accounts: SameAccounts, { id, isAccount }: ForeignAuthor): number | null => (isAccount && accounts.get(id)) || null;
