import type { RepositorySubject } from "../../../../access/subjects.ts";
import { notFound } from "../../../../core/errors.ts";
import { pageHistory } from "../../../../git/history/history-page.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Commit, Oid } from "../../../../git/types.ts";
import { codeStore } from "../../branches/service/deps.ts";
import { shortName } from "../../refs/model.ts";
import { type ResolvedRev, resolveRev } from "../../refs/service/resolve.ts";
import { readChain } from "../chains.ts";
import type { Comparison } from "../model.ts";
import { type CommitDeps, requireCommits, type Viewing, viewCommits } from "./loaders.ts";

export interface CompareDeps extends CommitDeps {
  /**
   * Fetches the branch `user:branch` of another repository of the fork network into this repository's store. Provided by the composition root,
   * because forks are a later feature. @returns its commit and repository; undefined if the caller cannot compare with it
   */
  readonly bringHead: (viewing: Pick<Viewing, "actor" | "repository" | "signal">, head: string) => Promise<BroughtHead | undefined>;
}

export interface BroughtHead {
  readonly headOid: Oid;
  readonly repository: RepositorySubject;
}

/** The two ends of a comparison as given by the caller, with their commits. */
export interface ComparedEnds extends BroughtHead {
  readonly base: string;
  readonly baseOid: Oid;
  /** `owner:branch` if it is in another repository. */
  readonly head: string;
  /** Whether both are branches, not tags or commits. */
  readonly areBranches: boolean;
  /** Two dots: compares the two ends directly instead of the head with the merge base. */
  readonly isDirect: boolean;
}

/**
 * Resolves the two ends of a comparison; afterwards the repository's store has both.
 * @param basehead `base...head` or `base..head`, where an empty end is the default branch; a head alone is compared with the default branch. The head can be `owner:branch`
 * @throws ForgeError `not_found` for an unknown end
 */
export async function findEnds(deps: CompareDeps, viewing: Pick<Viewing, "actor" | "repository" | "signal">, basehead: string): Promise<ComparedEnds> {
  const { repository } = viewing;
  const store = codeStore(deps, repository);
  const { base, head, isDirect } = parseEnds(basehead, repository);
  const from = await resolveRev(deps, store, base);
  const end = "rev" in head ? await resolveRev(deps, store, head.rev || repository.defaultBranch) : undefined;
  const to = "rev" in head ? end && { headOid: end.commitOid, repository } : await deps.bringHead(viewing, head.elsewhere);
  if (from === undefined || to === undefined) throw notFound();
  const areBranches = from.kind === "branch" && (end === undefined || end.kind === "branch");
  return {
    ...to,
    base: nameOf(from, base),
    baseOid: from.commitOid,
    head: end === undefined ? headText(head) : nameOf(end, headText(head)),
    areBranches,
    isDirect,
  };
}

/** The short name of a branch, in whatever form it was given. */
const nameOf = ({ kind, refName }: ResolvedRev, word: string): string => (kind === "branch" && refName !== undefined ? shortName(refName) : word);

/** Maximum number of commits listed, newest first; the total counts all. */
const listedCommits = 500;

/** The commits that the head has and the base lacks. */
export async function compareEnds(deps: CommitDeps, viewing: Viewing, { baseOid, headOid, repository }: ComparedEnds): Promise<Comparison> {
  const store = codeStore(deps, viewing.repository);
  const range = (await rangeOfChains(store, baseOid, headOid)) ?? (await rangeByWalk(store, baseOid, headOid, viewing.signal));
  return { total: range.total, commits: await viewCommits(deps, viewing, range.commits), ownerName: repository.ownerName, name: repository.name };
}

/** As {@link compareEnds}, by the names of the ends. @throws ForgeError as {@link findEnds} */
export const compareCommits = async (deps: CompareDeps, viewing: Viewing, basehead: string): Promise<Comparison> =>
  compareEnds(deps, viewing, await findEnds(deps, viewing, basehead));

/** A head within the repository, or in another one of its network, as given by the caller. */
type HeadName = { readonly rev: string } | { readonly elsewhere: string };

interface EndNames extends Pick<ComparedEnds, "base" | "isDirect"> {
  readonly head: HeadName;
}

/** Splits `base...head`. Names of branches and tags never contain two consecutive dots. */
export function parseEnds(basehead: string, repository: RepositorySubject): EndNames {
  const [, base = "", dots = "...", head = basehead] = /^(.*?)(\.{2,3})(.*)$/s.exec(basehead) ?? [];
  return { base: base === "" ? repository.defaultBranch : base, head: headIn(repository, head), isDirect: dots === ".." };
}

/** The name of a head in URLs. */
export const headText = (head: HeadName): string => ("rev" in head ? head.rev : head.elsewhere);

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
 * The range without a process, if neither end has a merge above the merge base. Undefined if the merge base is not within the chains.
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
