import type { ForeignAuthor, Tracker } from "../tracker.ts";
import type { TrackerSource } from "./tracker-source.ts";

/** Which accounts people have linked here to subjects of a provider, by subject. */
export type FindLinkedAccounts = (issuer: string, subjects: readonly string[]) => Promise<ReadonlyMap<string, number>>;

/** Accounts here by accounts there, where they surely are the same: who has signed in there has linked them himself. */
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
