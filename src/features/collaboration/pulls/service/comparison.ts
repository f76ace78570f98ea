import type { Readable } from "node:stream";
import type { Actor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { isForgeError, refused } from "../../../../core/errors.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Oid } from "../../../../git/types.ts";
import { codeStore } from "../../../repositories/branches/service/deps.ts";
import type { Comparison } from "../../../repositories/commits/model.ts";
import { streamChangesText, type TextDeps } from "../../../repositories/commits/service/changes-text.ts";
import { type ComparedEnds, compareEnds, findEnds } from "../../../repositories/commits/service/compare.ts";
import type { FilesPiece } from "../../../repositories/diffs/file-piece.ts";
import { type PieceDeps, type PieceQuery, readPiece } from "../../../repositories/diffs/service/diff-windows.ts";
import { getRepository } from "../../../repositories/repos/service/loaders.ts";
import { type ChecksOfCommit, statesOfCommits } from "../../../repositories/statuses/service.ts";
import { canReadIssue } from "../../issues/rights.ts";
import { findOpenPull } from "../store/list.ts";
import { bringHead } from "./bring-head.ts";
import { findMergeBase } from "./checks.ts";
import type { PullDeps, PullViewing } from "./deps.ts";
import { type Upstream, upstreamOf } from "./end-choices.ts";
import { findHead, type PullEnd, requireBranch } from "./ends.ts";

/** The ends of a comparison, if both exist. @throws ForgeError `not_found` for a missing end */
export const findComparedEnds = (deps: PullDeps, viewing: PullViewing, basehead: string): Promise<ComparedEnds> =>
  findEnds({ ...deps, bringHead: (viewer, head) => bringHead(deps, viewer, head) }, viewing, basehead);

export interface ShownComparison extends Comparison {
  readonly piece: FilesPiece;
  /** The merge base; undefined: unrelated histories. */
  readonly mergeBaseOid: Oid | undefined;
  /** The open pull request between the two. */
  readonly openPull: number | undefined;
  readonly checks: ReadonlyMap<Oid, ChecksOfCommit>;
}

type ComparisonQuery = Omit<PieceQuery, "store" | "fromOid" | "toOid">;

const detail = { stats: false, files: false, verification: true } as const;

/** The commits of a comparison and a part of its diff. @throws ForgeError as `readPiece` */
export async function readComparison(deps: PullDeps & PieceDeps, viewing: PullViewing, ends: ComparedEnds, input: ComparisonQuery): Promise<ShownComparison> {
  const comparison = await compareEnds(deps, { ...viewing, detail }, ends);
  const range = await rangeBetween(deps, viewing, ends);
  const piece = await readPiece(deps, { ...input, ...range, signal: viewing.signal });
  const [openPull, checks] = await Promise.all([
    findPullBetween(deps, viewing, ends),
    statesOfCommits(
      deps.db,
      viewing.repository.id,
      comparison.commits.map(({ commit }) => commit.oid),
    ),
  ]);
  return { ...comparison, piece, mergeBaseOid: range.mergeBaseOid, openPull, checks };
}

interface ComparedRange {
  readonly store: GitStore;
  readonly mergeBaseOid: Oid | undefined;
  readonly fromOid: Oid | undefined;
  readonly toOid: Oid;
}

async function rangeBetween(deps: PullDeps, { repository, signal }: PullViewing, { baseOid, headOid, isDirect }: ComparedEnds): Promise<ComparedRange> {
  const store = codeStore(deps, repository);
  const mergeBaseOid = await findMergeBase(store, baseOid, headOid, signal);
  return { store, mergeBaseOid, fromOid: isDirect ? baseOid : mergeBaseOid, toOid: headOid };
}

async function findPullBetween(deps: PullDeps, { actor, repository }: PullViewing, { base, head, areBranches }: ComparedEnds): Promise<number | undefined> {
  if (!areBranches || !canReadIssue(repository, { isPull: true })) return undefined;
  const end = await findHead(deps, actor, repository, head);
  return (await findOpenPull(deps.db, { repoId: repository.id, baseBranch: base, headRepoId: end.repository.id, headBranch: end.branch }))?.number;
}

/** Streams the changes between two ends as a diff, or as a patch for `git am`. @throws ForgeError `not_found`, `refused` */
export async function streamComparison(deps: PullDeps & TextDeps, viewing: PullViewing, basehead: string, form: "diff" | "patch"): Promise<Readable> {
  const { store, fromOid, toOid, mergeBaseOid } = await rangeBetween(deps, viewing, await findComparedEnds(deps, viewing, basehead));
  if (form === "patch" && mergeBaseOid === undefined) throw refused("the head and the base have unrelated histories", { reason: "unrelated_histories" });
  return streamChangesText(deps, store, { fromOid: form === "diff" ? fromOid : mergeBaseOid, toOid, form, hasSignature: true, signal: viewing.signal });
}

/** The parent of a fork, if the caller can propose changes to it. */
export const findUpstream = async (deps: PullDeps, actor: Actor, repository: RepositorySubject): Promise<Upstream | undefined> =>
  upstreamOf(await getRepository(deps, actor, repository.id));

/**
 * A branch of a fork that the caller can read and others cannot. Its objects become readable in the base repository only with a pull request,
 * so its changes cannot be shown before.
 */
export async function findUnshownHead(deps: PullDeps, { actor, repository }: PullViewing, head: string): Promise<PullEnd | undefined> {
  try {
    const end = await findHead(deps, actor, repository, head);
    await requireBranch(deps, end);
    return end;
  } catch (error) {
    if (isForgeError(error, "not_found") || isForgeError(error, "malformed") || isForgeError(error, "invalid")) return undefined;
    throw error;
  }
}
