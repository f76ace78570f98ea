import type { Readable } from "node:stream";
import { forbidden, isForgeError, notFound, refused } from "../../../../core/errors.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import { keptTreeChanges, type Whitespace } from "../../../../git/history/diff.ts";
import type { ChangedFile } from "../../../../git/history/diff-parse.ts";
import { pageHistory } from "../../../../git/history/history-page.ts";
import { walkBetween } from "../../../../git/objects/walk.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Commit, Oid } from "../../../../git/types.ts";
import type { CommitDetail, CommitView } from "../../../repositories/commits/model.ts";
import { streamChangesText, type TextDeps } from "../../../repositories/commits/service/changes-text.ts";
import { requireCommits, viewCommits } from "../../../repositories/commits/service/loaders.ts";
import { canReadCode } from "../../issues/rights.ts";
import { type FoundPull, maxListedCommits } from "../model.ts";
import { findMergeBase, presentCheck } from "./checks.ts";
import type { PullDeps, PullViewing } from "./deps.ts";
import { findPull } from "./find.ts";
import { storeWithHead } from "./heads.ts";

/** Range of a pull request: from the merge base to the head. */
export interface PullRange {
  readonly store: GitStore;
  /** Undefined: unrelated histories. */
  readonly fromOid: Oid | undefined;
  readonly toOid: Oid;
}

/** Uses the current merge base, so it shows what a merge adds. @throws ForgeError `forbidden` without access to code, `not_found` */
export async function rangeOf(deps: PullDeps, { repository, signal }: PullViewing, pull: FoundPull): Promise<PullRange> {
  // @compat the message of Gitea's permission check (scenarios/access-code.test.ts)
  if (!canReadCode(repository)) throw forbidden("user should have specific read permission or be a repo admin or a site admin");
  const store = await storeWithHead(deps, repository, pull, signal);
  const toOid = pull.headOid;
  if (pull.merged !== null) return { store, fromOid: pull.merged.mergeBaseOid ?? undefined, toOid };
  const check = presentCheck(pull);
  if (check !== undefined) return { store, fromOid: check.mergeBaseOid ?? undefined, toOid };
  if (pull.baseTipOid === null) throw notFound();
  return { store, fromOid: await findMergeBase(store, pull.baseTipOid, toOid, signal), toOid };
}

/** The same by number. @throws ForgeError as {@link rangeOf} */
export async function getRange(deps: PullDeps, viewing: PullViewing, number: string): Promise<PullRange> {
  return rangeOf(deps, viewing, await findPull(deps, viewing.repository, number));
}

/** The commits of a pull request, newest first. One process. @throws ForgeError `not_found` */
export async function listPullCommits(
  deps: PullDeps,
  viewing: PullViewing & { readonly detail: CommitDetail },
  number: string,
  page: Page,
): Promise<Paged<CommitView>> {
  const { signal } = viewing;
  const { store, fromOid, toOid } = await getRange(deps, viewing, number);
  const notOids = fromOid === undefined ? [] : [fromOid];
  const { oids, total } = await pageHistory(store, { tipOids: [toOid], notOids, skip: page.offset, limit: page.limit, signal });
  return { items: await viewCommits(deps, viewing, await requireCommits(store, oids)), total };
}

export interface CommitsCount {
  readonly count: number;
  /** There are more. */
  readonly isLimit: boolean;
}

/** The commits of a pull request, newest first, up to a limit. No process. @throws ForgeError as {@link rangeOf} */
export const walkPullCommits = ({ store, fromOid, toOid }: PullRange): Promise<readonly Commit[]> =>
  walkBetween(store, toOid, fromOid ?? toOid, maxListedCommits + 2);

export const countedCommits = ({ length }: readonly Commit[]): CommitsCount => ({
  count: Math.min(length, maxListedCommits),
  isLimit: length > maxListedCommits,
});

/** The number of commits; undefined if the head cannot be read, and for readers without access to code. */
export async function countPullCommits(deps: PullDeps, viewing: PullViewing, pull: FoundPull): Promise<CommitsCount | undefined> {
  try {
    const range = await rangeOf(deps, viewing, pull);
    if (range.fromOid === undefined) return undefined;
    return countedCommits(await walkPullCommits(range));
  } catch (error) {
    if (isForgeError(error, "forbidden") || isForgeError(error, "not_found") || isForgeError(error, "invalid")) return undefined;
    throw error;
  }
}

export interface FilesQuery {
  readonly whitespace: Whitespace;
  /** File that the page starts with. */
  readonly skipTo: string;
}

export interface ChangedFiles extends Paged<ChangedFile> {
  readonly headOid: Oid;
}

/**
 * The files that a pull request changes, by path. One process per page, none if the result is cached; only git's summary of the files
 * outside the page is held in memory.
 * @throws ForgeError `not_found`; `refused` if there are too many to list
 */
export async function listPullFiles(deps: PullDeps, viewing: PullViewing, number: string, input: FilesQuery, page: Page): Promise<ChangedFiles> {
  const { store, fromOid, toOid } = await getRange(deps, viewing, number);
  const last = page.offset + page.limit;
  const maxFiles = input.skipTo === "" ? last : maxListed;
  const { files, fileCount } =
    fromOid === toOid
      ? { files: [], fileCount: 0 }
      : await keptTreeChanges(store, fromOid, toOid, { maxFiles, whitespace: input.whitespace, signal: viewing.signal });
  const first = input.skipTo === "" ? 0 : files.findIndex(({ path }) => path === input.skipTo);
  if (first < 0) throw notFound(`the pull request has no file ${input.skipTo}`);
  return { items: files.slice(first + page.offset, first + last), total: fileCount - first, headOid: toOid };
}

const maxListed = 50_000;

/** Streams the changes of a pull request as a diff, or as a patch for `git am`. @throws ForgeError `not_found` */
export async function streamPullText(
  deps: PullDeps & TextDeps,
  viewing: PullViewing,
  number: string,
  { form, binary }: { readonly form: "diff" | "patch"; readonly binary: boolean },
): Promise<Readable> {
  const { store, fromOid, toOid } = await getRange(deps, viewing, number);
  if (fromOid === undefined && form === "patch") throw refused("the head and the base have unrelated histories", { reason: "unrelated_histories" });
  return streamChangesText(deps, store, { fromOid, toOid, form, binary, hasSignature: true, signal: viewing.signal });
}
