import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Config } from "../../../../config/config.ts";
import { notFound } from "../../../../core/errors.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import { pageHistory } from "../../../../git/history/history-page.ts";
import { isAncestor } from "../../../../git/history/log.ts";
import { readBlob } from "../../../../git/objects/objects.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Commit, Oid } from "../../../../git/types.ts";
import { type LastCommitsDeps, lastCommits } from "../../commits/service/last-commits.ts";
import { requireCommits } from "../../commits/service/loaders.ts";
import { maxListedPages, type WikiPageDetails, type WikiPageView, type WikiRevision } from "../model.ts";
import { footerFile, isPart, sidebarFile } from "../page-name.ts";
import { findPage, type PageEntry, readTip, requireTip, type TipDeps, type WikiTip } from "./tip.ts";

type Window = Pick<Page, "offset" | "limit">;

export interface WikiDeps extends TipDeps, LastCommitsDeps {
  readonly db: LastCommitsDeps["db"];
  readonly config: Pick<Config, "limits" | "repositories">;
}

/** A page of the list of pages, in the order of their files. @throws ForgeError `not_found` for a wiki without pages */
export async function listPages(deps: WikiDeps, repository: RepositorySubject, { offset, limit }: Window, signal: AbortSignal): Promise<Paged<WikiPageView>> {
  const tip = await requireTip(deps, repository);
  const pages = tip.pages.slice(offset, offset + limit);
  const { byName } = await lastCommits(deps, { store: tip.store, tipOid: tip.commit.oid, signal }, "");
  // If the time limit was reached before a commit was found, the tip is used: it has the same page.
  const oids = pages.map(({ file }) => byName.get(file) ?? tip.commit.oid);
  const commits = await requireCommits(tip.store, oids);
  return { total: tip.pages.length, items: pages.map((page, index) => ({ ...page, commit: commits[index] ?? tip.commit })) };
}

/** @throws ForgeError `not_found` */
export async function getPage(deps: WikiDeps, repository: RepositorySubject, called: string, signal: AbortSignal): Promise<WikiPageDetails> {
  const tip = await requireTip(deps, repository);
  return viewPage(deps, tip, requirePage(tip, called), signal);
}

function requirePage(tip: WikiTip, called: string): PageEntry {
  const page = findPage(tip, called);
  if (page === undefined) throw notFound();
  return page;
}

/** One process, in which git counts the commits that changed the page. */
export async function viewPage(deps: WikiDeps, tip: WikiTip, page: PageEntry, signal?: AbortSignal): Promise<WikiPageDetails> {
  const { total, commits } = await historyOf(tip, page, { offset: 0, limit: 1 }, signal);
  const textOf = async (file: string): Promise<Buffer> => {
    const entry = tip.pages.find((one) => one.file === file);
    return entry === undefined ? Buffer.alloc(0) : readContent(deps, tip.store, entry.oid);
  };
  const [content, sidebar, footer] = await Promise.all([readContent(deps, tip.store, page.oid), textOf(sidebarFile), textOf(footerFile)]);
  const { title, slug, file } = page;
  const others = tip.pages.filter((one) => !isPart(one));
  const pages = others.slice(0, maxListedPages);
  return { title, slug, file, content, commit: commits[0] ?? tip.commit, commitCount: total, pages, pagesCount: others.length, sidebar, footer };
}

/** Empty for content that exceeds the response limit. */
async function readContent({ config }: WikiDeps, store: GitStore, oid: Oid): Promise<Buffer> {
  return (await readBlob(store, oid, config.repositories.max_blob_bytes))?.data ?? Buffer.alloc(0);
}

/** A page of the commits that changed a wiki page. @throws ForgeError `not_found` */
export async function listRevisions(deps: WikiDeps, repository: RepositorySubject, called: string, page: Window, signal: AbortSignal): Promise<Paged<Commit>> {
  const tip = await requireTip(deps, repository);
  const { total, commits } = await historyOf(tip, requirePage(tip, called), page, signal);
  return { total, items: commits };
}

async function historyOf({ store, commit }: WikiTip, { file }: PageEntry, { offset, limit }: Window, signal?: AbortSignal) {
  const { oids, total } = await pageHistory(store, { tipOids: [commit.oid], path: file, skip: offset, limit, signal });
  return { total, commits: await requireCommits(store, oids) };
}

/** Names as the listing of commits and the addresses of their versions contain them. */
const isOid = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);

/**
 * Versions of a page at commits of the wiki. A page that does not exist at a commit is empty there.
 * @throws ForgeError `not_found` for an unknown page or commit
 */
export async function readRevisions(
  deps: WikiDeps,
  repository: RepositorySubject,
  called: string,
  oids: readonly string[],
): Promise<{ readonly page: PageEntry; readonly revisions: readonly WikiRevision[] }> {
  const tip = await requireTip(deps, repository);
  const page = requirePage(tip, called);
  const revisions = await Promise.all(
    oids.map(async (oid) => {
      // Commits that were removed by a force-push are no part of the wiki, although the store may still have them.
      if (!isOid(oid) || !(await isAncestor(tip.store, oid, tip.commit.oid).catch(() => false))) throw notFound();
      const { commit, pages } = await readTip(tip.store, oid);
      const entry = pages.find(({ file }) => file === page.file);
      return { commit, content: entry === undefined ? Buffer.alloc(0) : await readContent(deps, tip.store, entry.oid) };
    }),
  );
  return { page, revisions };
}
