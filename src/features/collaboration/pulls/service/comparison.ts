import type { Readable } from "node:stream";
import { refused } from "../../../../core/errors.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Oid } from "../../../../git/types.ts";
import { codeStore } from "../../../repositories/branches/service/deps.ts";
import type { Comparison } from "../../../repositories/commits/model.ts";
import { streamChangesText, type TextDeps } from "../../../repositories/commits/service/changes-text.ts";
import { type ComparedEnds, compareEnds, findEnds } from "../../../repositories/commits/service/compare.ts";
import type { FilesPiece } from "../../../repositories/diffs/file-piece.ts";
import { type PieceDeps, type PieceQuery, readPiece } from "../../../repositories/diffs/service/diff-windows.ts";
import { shortName } from "../../../repositories/refs/model.ts";
import { newestRefs } from "../../../repositories/refs/service/read.ts";
import { listForks } from "../../../repositories/repos/service/search.ts";
import { canReadIssue } from "../../issues/rights.ts";
import { findOpenPull } from "../store/list.ts";
import { bringHead } from "./bring-head.ts";
import { findMergeBase } from "./checks.ts";
import type { PullDeps, PullViewing } from "./deps.ts";
import { findHead } from "./ends.ts";

/** The ends of a comparison, if both exist. @throws ForgeError `not_found` for a missing end */
export const findComparedEnds = (deps: PullDeps, viewing: PullViewing, basehead: string): Promise<ComparedEnds> =>
  findEnds({ ...deps, bringHead: (viewer, head) => bringHead(deps, viewer, head) }, viewing, basehead);

export interface ShownComparison extends Comparison {
  readonly piece: FilesPiece;
  /** The merge base; undefined: unrelated histories. */
  readonly mergeBaseOid: Oid | undefined;
  /** The open pull request between the two. */
  readonly openPull: number | undefined;
}

type ComparisonQuery = Omit<PieceQuery, "store" | "fromOid" | "toOid">;

const detail = { stats: false, files: false, verification: true } as const;

/** The commits of a comparison and a part of its diff. @throws ForgeError as `readPiece` */
export async function readComparison(deps: PullDeps & PieceDeps, viewing: PullViewing, ends: ComparedEnds, input: ComparisonQuery): Promise<ShownComparison> {
  const comparison = await compareEnds(deps, { ...viewing, detail }, ends);
  const range = await rangeBetween(deps, viewing, ends);
  const piece = await readPiece(deps, { ...input, ...range, signal: viewing.signal });
  return { ...comparison, piece, mergeBaseOid: range.mergeBaseOid, openPull: await findPullBetween(deps, viewing, ends) };
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
  return streamChangesText(deps, store, { fromOid: form === "diff" ? fromOid : mergeBaseOid, toOid, form, signal: viewing.signal });
}

/** Suggested ends of a comparison. */
export interface EndChoices {
  readonly refs: readonly string[];
  /** Heads in forks, as `owner:branch`. */
  readonly forks: readonly string[];
}

/** Maximum number of suggestions of each kind; other refs can be typed. */
const offeredRefs = 100;
const offeredForks = { page: 1, limit: 20, offset: 0 };

/** The most recently updated branches and tags, and the default branches of forks. */
export async function listEndChoices(deps: PullDeps, { actor, repository }: PullViewing, forksCount: number): Promise<EndChoices> {
  const refs = await newestRefs(deps.db, repository.codeStoreId, offeredRefs);
  const forks = forksCount === 0 ? [] : (await listForks(deps, actor, repository.id, offeredForks)).items;
  return {
    refs: refs.map(({ name }) => shortName(name)),
    forks: forks.filter(({ isEmpty }) => !isEmpty).map(({ owner, defaultBranch }) => `${owner.name}:${defaultBranch}`),
  };
}
