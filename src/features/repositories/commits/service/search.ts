import { searchCommits as searchHistory } from "../../../../git/history/search-commits.ts";
import type { Oid } from "../../../../git/types.ts";
import { noreplyAddress } from "../../../accounts/users/git-identity.ts";
import { findAccountView, isVisibleTo } from "../../../accounts/users/service/accounts.ts";
import { listEmails } from "../../../accounts/users/service/emails.ts";
import { codeStore } from "../../branches/service/deps.ts";
import type { CommitView } from "../model.ts";
import { type CommitDeps, requireCommits, type Viewing, viewCommits } from "./loaders.ts";

export interface CommitSearch {
  readonly tipOid: Oid;
  /** Only commits that changed this path; empty for all. */
  readonly path: string;
  readonly words: readonly string[];
  /** A name, an email address, or a part of them; empty for all authors. */
  readonly author: string;
  readonly sinceMs: number | undefined;
  readonly untilMs: number | undefined;
  /** Number of commits to skip: the `next` of an earlier result. */
  readonly skip: number;
}

export interface FoundCommits {
  readonly commits: readonly CommitView[];
  /** Undefined after the last commit. */
  readonly next: number | undefined;
  /** The last searched commit if the search ended at its limit. */
  readonly last: CommitView | undefined;
}

/** Commits that one request searches. */
export const searchedCommits = 50_000;
const foundAtOnce = 30;

/** The commits of a history that match, newest first. At most two git processes and a constant number of statements. */
export async function searchCommits(deps: CommitDeps, viewing: Viewing, search: CommitSearch): Promise<FoundCommits> {
  const { tipOid, path, words, author, sinceMs, untilMs, skip } = search;
  const store = codeStore(deps, viewing.repository);
  const { oids, next, lastOid } = await searchHistory(store, {
    tipOids: [tipOid],
    ...(path !== "" && { path }),
    ...(sinceMs !== undefined && { sinceMs }),
    ...(untilMs !== undefined && { untilMs }),
    words,
    authors: author === "" ? [] : [author, ...(await addressesOf(deps, viewing, author))],
    skip,
    limit: foundAtOnce,
    maxSearched: searchedCommits,
    signal: viewing.signal,
  });
  const found = await requireCommits(store, lastOid === undefined ? oids : [...oids, lastOid]);
  const views = await viewCommits(deps, viewing, found);
  return { commits: views.slice(0, oids.length), next, last: views[oids.length] };
}

/** Lists show the account instead of the name in the commit, so the name of an account also finds the commits with its addresses. */
async function addressesOf(deps: CommitDeps, { actor }: Viewing, name: string): Promise<readonly string[]> {
  const account = await findAccountView(deps, name);
  if (account === undefined || account.kind !== "user" || !isVisibleTo(account, actor)) return [];
  const emails = await listEmails(deps, account);
  return [noreplyAddress(account, deps.urls), ...emails.filter(({ isVerified }) => isVerified).map(({ email }) => email)].map((email) => `<${email}>`);
}
