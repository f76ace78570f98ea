import type { RepositorySubject } from "../../../access/subjects.ts";
import { notFound } from "../../../core/errors.ts";
import { pageHistory } from "../../../git/history-page.ts";
import type { GitStore } from "../../../git/stores.ts";
import type { Commit, Oid } from "../../../git/types.ts";
import { codeStore } from "../../branches/service/deps.ts";
import { resolveRev } from "../../refs/service/resolve.ts";
import { readChain } from "../chains.ts";
import type { Comparison } from "../view.ts";
import { type CommitDeps, requireCommits, type Viewing, viewCommits } from "./views.ts";

export interface CompareDeps extends CommitDeps {
  /**
   * Brings the branch of another repository of the network, `user:branch`, to the store of this one. Forks are a later feature, so whoever
   * composes the two hands this in. @returns its commit, and where it is; undefined for what the caller cannot compare
   */
  readonly bringHead: (viewing: Pick<Viewing, "actor" | "repository" | "signal">, head: string) => Promise<BroughtHead | undefined>;
}

export interface BroughtHead {
  readonly headOid: Oid;
  readonly repository: RepositorySubject;
}

/** A comparison lists so many commits at most, the newest; it counts all. */
const listedCommits = 500;

/**
 * The commits that the head has and the base lacks.
 * @param basehead `base...head` or `base..head`; the head alone is compared with the default branch, and can be `owner:branch`
 * @throws ForgeError `not_found` for an end that there is not
 */
export async function compareCommits(deps: CompareDeps, viewing: Viewing, basehead: string): Promise<Comparison> {
  const { repository, signal } = viewing;
  const store = codeStore(deps, repository);
  const { base, head } = parseEnds(basehead, repository);
  const from = await resolveRev(deps, store, base);
  const end = "rev" in head ? await resolveRev(deps, store, head.rev) : undefined;
  const to = "rev" in head ? end && { headOid: end.commitOid, repository } : await deps.bringHead(viewing, head.elsewhere);
  if (from === undefined || to === undefined) throw notFound();
  const { headOid } = to;
  const range = (await rangeOfChains(store, from.commitOid, headOid)) ?? (await rangeByWalk(store, from.commitOid, headOid, signal));
  return { total: range.total, commits: await viewCommits(deps, viewing, range.commits), ownerName: to.repository.ownerName, name: to.repository.name };
}

/** A head within the repository, or in another one of its network, as the caller calls it. */
type HeadName = { readonly rev: string } | { readonly elsewhere: string };

/** Takes `base...head` apart. No name of a branch or tag has two dots in a row. */
export function parseEnds(basehead: string, repository: RepositorySubject): { readonly base: string; readonly head: HeadName } {
  const [, base = "", head = basehead] = /^(.*?)\.{2,3}(.*)$/s.exec(basehead) ?? [];
  return { base: base === "" ? repository.defaultBranch : base, head: headIn(repository, head) };
}

function headIn({ ownerName, fullName }: RepositorySubject, head: string): HeadName {
  const colon = head.indexOf(":");
  if (colon === -1) return { rev: head };
  const place = head.slice(0, colon).toLowerCase();
  return place === ownerName.toLowerCase() || place === fullName.toLowerCase() ? { rev: head.slice(colon + 1) } : { elsewhere: head };
}

interface CommitRange {
  readonly total: number;
  readonly commits: readonly Commit[];
}

/**
 * Without a process where neither end has a merge above the place where they meet: the two lines are all that differs then.
 * Undefined where they do not meet so near.
 */
async function rangeOfChains(store: GitStore, baseOid: Oid, headOid: Oid): Promise<CommitRange | undefined> {
  const head = await readChain(store, headOid);
  const headOids = [...head.commits.map(({ oid }) => oid), ...(head.nextOid === undefined ? [] : [head.nextOid])];
  let above = headOids.indexOf(baseOid);
  if (above === -1) {
    const base = await readChain(store, baseOid);
    const baseOids = new Set([...base.commits.map(({ oid }) => oid), ...(base.nextOid === undefined ? [] : [base.nextOid])]);
    above = headOids.findIndex((oid) => baseOids.has(oid));
  }
  return above === -1 ? undefined : { total: above, commits: head.commits.slice(0, above) };
}

async function rangeByWalk(store: GitStore, baseOid: Oid, headOid: Oid, signal: AbortSignal | undefined): Promise<CommitRange> {
  const { oids, total } = await pageHistory(store, { tipOids: [headOid], notOids: [baseOid], limit: listedCommits, signal });
  return { total, commits: await requireCommits(store, oids) };
}
