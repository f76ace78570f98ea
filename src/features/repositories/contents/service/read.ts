import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Config } from "../../../../config/config.ts";
import { type ForgeError, notFound } from "../../../../core/errors.ts";
import type { Page } from "../../../../core/paging.ts";
import { findEntry, readTree } from "../../../../git/objects/objects.ts";
import { codeStore } from "../../branches/service/deps.ts";
import { type LastCommitsDeps, lastCommitOfPath, lastCommits, lastCommitsOfPaths } from "../../commits/service/last-commits.ts";
import type { ContentsView, EntryDetail, EntryView, Viewpoint } from "../model.ts";
import { describeEntries } from "./entries.ts";
import { findViewpoint, type ViewpointDeps } from "./viewpoint.ts";

export interface ReadDeps extends ViewpointDeps, LastCommitsDeps {
  readonly db: LastCommitsDeps["db"];
  readonly config: Pick<Config, "repositories" | "limits">;
}

export interface ContentsQuery {
  /** Empty for the root. */
  readonly path: string;
  /** Empty for the default branch. */
  readonly rev: string;
  readonly detail: EntryDetail;
  /** The page of a directory. */
  readonly page?: Page;
  readonly signal?: AbortSignal | undefined;
}

/** The entries that readers without pages get. */
const firstPage: Page = { page: 1, limit: 10_000, offset: 0 };

/**
 * A file with content, or a page of the entries of a directory without. Two statements; no process while a worker is warm and last commits are stored.
 * @throws ForgeError `not_found` for an unknown rev or path
 */
export async function readContents(deps: ReadDeps, repository: RepositorySubject, query: ContentsQuery): Promise<ContentsView> {
  return readContentsAt(deps, repository, await findViewpoint(deps, repository, query.rev), query);
}

/** As {@link readContents}, at a resolved commit. @throws ForgeError `not_found` for an unknown path */
export async function readContentsAt(
  deps: ReadDeps,
  repository: RepositorySubject,
  at: Viewpoint,
  { path, detail, page = firstPage, signal }: Omit<ContentsQuery, "rev">,
): Promise<ContentsView> {
  const store = codeStore(deps, repository);
  const rootTreeOid = at.commit.treeOid;
  const place = { store, tipOid: at.commit.oid, signal };
  const description = { ...detail, store, rootTreeOid, maxContentBytes: deps.config.repositories.max_blob_bytes };
  const entry = await findEntry(store, rootTreeOid, path);
  if (entry === undefined) throw missingContents(path);
  if (entry.mode !== "040000") {
    const lastCommitOid = detail.lastCommit ? await lastCommitOfPath(deps, place, path) : undefined;
    const [file] = await describeEntries([{ path, mode: entry.mode, oid: entry.oid, lastCommitOid }], description);
    if (file === undefined) throw missingContents(path);
    return { at, found: { file } };
  }
  const entries = (await readTree(store, entry.oid)) ?? [];
  const commits = detail.lastCommit ? (await lastCommits(deps, place, path)).byName : undefined;
  const prefix = path === "" ? "" : `${path}/`;
  const directory = await describeEntries(
    entries.slice(page.offset, page.offset + page.limit).map(({ name, mode, oid }) => ({ path: prefix + name, mode, oid, lastCommitOid: commits?.get(name) })),
    { ...description, content: false },
  );
  return { at, found: { directory, total: entries.length } };
}

const missingContents = (path: string): ForgeError => notFound("GetContentsOrList", { details: [`object does not exist [id: , rel_path: ${path}]`] });

export interface FilesView {
  readonly at: Viewpoint;
  /** In the order of the paths; null for unknown ones. */
  readonly files: readonly (EntryView | null)[];
}

/** Limit on the contents of one response, before base64. */
const maxResponseBytes = 100 * 1024 * 1024;

/**
 * Files by path, up to one page and {@link maxResponseBytes}. Two statements if last commits are stored.
 * @throws ForgeError `not_found` for an unknown rev
 */
export async function readFiles(
  deps: ReadDeps,
  repository: RepositorySubject,
  query: { readonly paths: readonly string[]; readonly rev: string; readonly signal?: AbortSignal },
): Promise<FilesView> {
  const at = await findViewpoint(deps, repository, query.rev);
  const store = codeStore(deps, repository);
  const rootTreeOid = at.commit.treeOid;
  const paths = query.paths.slice(0, deps.config.limits.page_default).map((path) => path.replace(/\/{2,}/g, "/").replace(/^\/|\/$/g, ""));
  const entries = await Promise.all(paths.map(async (path) => ({ path, entry: path === "" ? undefined : await findEntry(store, rootTreeOid, path) })));
  const present = entries.filter(({ entry }) => entry !== undefined).map(({ path }) => path);
  const commits = await lastCommitsOfPaths(deps, { store, tipOid: at.commit.oid, signal: query.signal }, present);
  const description = { store, rootTreeOid, content: true, lfs: true, maxContentBytes: deps.config.repositories.max_blob_bytes };
  const files: (EntryView | null)[] = [];
  let sizeBytes = 0;
  for (const { path, entry } of entries) {
    const found = entry && { path, mode: entry.mode, oid: entry.oid, lastCommitOid: commits.get(path) };
    const [file = null] = found === undefined ? [] : await describeEntries([found], description);
    sizeBytes += file?.content?.length ?? 0;
    if (sizeBytes > maxResponseBytes) break;
    files.push(file);
  }
  return { at, files };
}
