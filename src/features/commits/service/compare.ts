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

/** A comparison lists so many commits at most, the newest; it counts all. */
const listedCommits = 500;

/**
 * The commits that the head has and the base lacks.
 * @param basehead `base...head` or `base..head`; the head alone is compared with the default branch, and can be `owner:branch`
 * @throws ForgeError `not_found` for an end that there is not
 */
export async function compareCommits(deps: CommitDeps, viewing: Viewing, basehead: string): Promise<Comparison> {
  const { repository, signal } = viewing;
  const store = codeStore(deps, repository);
  const { base, head } = parseEnds(basehead, repository);
  const [from, to] = await Promise.all([base, head].map((rev) => (rev === undefined ? undefined : resolveRev(deps, store, rev))));
  if (from === undefined || to === undefined) throw notFound();
  const range = (await rangeOfChains(store, from.commitOid, to.commitOid)) ?? (await rangeByWalk(store, from.commitOid, to.commitOid, signal));
  return { total: range.total, commits: await viewCommits(deps, viewing, range.commits) };
}

/** No name of a branch or tag has two dots in a row. */
function parseEnds(basehead: string, repository: RepositorySubject): { readonly base: string; readonly head: string | undefined } {
  const [, base = "", head = basehead] = /^(.*?)\.{2,3}(.*)$/s.exec(basehead) ?? [];
  return { base: base === "" ? repository.defaultBranch : base, head: headIn(repository, head) };
}

/** The head's name within this repository, by whatever address it is given; undefined for one elsewhere. */
function headIn({ ownerName, fullName }: RepositorySubject, head: string): string | undefined {
  const colon = head.indexOf(":");
  if (colon === -1) return head;
  const place = head.slice(0, colon).toLowerCase();
  return place === ownerName.toLowerCase() || place === fullName.toLowerCase() ? head.slice(colon + 1) : undefined;
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
