import type { Db } from "../../../../db/db.ts";
import { readBlob, readCommit, readInfo, readTree } from "../../../../git/objects/objects.ts";
import type { GitStore, GitStores } from "../../../../git/stores.ts";
import type { Oid } from "../../../../git/types.ts";
import type { JobRun } from "../../../../jobs/queue.ts";
import { detectLicenses, isLicenseFile } from "../../../site/license-templates/license-detection.ts";
import { isCounted, type LanguageSizes, type SizedFile, summarise } from "../languages.ts";
import { findContentSource, replaceContentDescription } from "../store/languages.ts";

export interface DescribeContentDeps {
  readonly db: Db;
  readonly git: GitStores;
}

/** Maximum number of files analysed; further ones hardly change the main language. */
const maxFiles = 20_000;
const maxTrees = 10_000;
const maxDepth = 100;
/** Number of blob sizes requested together. */
const batch = 500;
const maxLicenseFiles = 5;
const maxLicenseBytes = 200_000;

/** Analyses the languages and licenses of the default branch, and stores them. */
export async function describeContent({ db, git }: DescribeContentDeps, repoId: number, { signal, tx }: Pick<JobRun<unknown>, "signal" | "tx">): Promise<void> {
  const source = await findContentSource(db, repoId);
  if (source === undefined) return;
  const store = git.store(source.storeId, source.objectFormat);
  const commit = source.tipOid === undefined ? undefined : await readCommit(store, source.tipOid);
  const languages = commit === undefined ? [] : await findLanguages(store, commit.treeOid, signal);
  const licenses = commit === undefined ? [] : await findLicenses(store, commit.treeOid);
  await tx((handle) => replaceContentDescription(handle, repoId, languages, licenses));
}

interface FoundFile {
  readonly path: string;
  readonly oid: Oid;
}

async function findLanguages(store: GitStore, rootOid: Oid, signal: AbortSignal): Promise<LanguageSizes> {
  const files = await collectFiles(store, rootOid, signal);
  const sized: SizedFile[] = [];
  for (let at = 0; at < files.length; at += batch) {
    signal.throwIfAborted();
    const part = files.slice(at, at + batch);
    const infos = await Promise.all(part.map(({ oid }) => readInfo(store, oid)));
    for (const [index, { path }] of part.entries()) sized.push({ path, sizeBytes: infos[index]?.sizeBytes ?? 0 });
  }
  return summarise(sized);
}

/** Collects files level by level, so that the upper levels are complete if the limit is reached. */
async function collectFiles(store: GitStore, rootOid: Oid, signal: AbortSignal): Promise<FoundFile[]> {
  const files: FoundFile[] = [];
  let trees = 0;
  let level: FoundFile[] = [{ path: "", oid: rootOid }];
  for (let depth = 0; level.length > 0 && depth < maxDepth; depth++) {
    const below: FoundFile[] = [];
    for (const directory of level) {
      signal.throwIfAborted();
      if (trees++ >= maxTrees) return files;
      for (const entry of (await readTree(store, directory.oid)) ?? []) {
        const path = directory.path + entry.name;
        if (entry.mode === "040000") {
          if (below.length < maxTrees && isCounted(`${path}/x`)) below.push({ path: `${path}/`, oid: entry.oid });
        } else if (entry.mode !== "120000" && entry.mode !== "160000" && isCounted(path)) {
          if (files.length >= maxFiles) return files;
          files.push({ path, oid: entry.oid });
        }
      }
    }
    level = below;
  }
  return files;
}

/** SPDX ids of the license files in the root directory. */
async function findLicenses(store: GitStore, rootOid: Oid): Promise<readonly string[]> {
  const entries = ((await readTree(store, rootOid)) ?? []).filter(({ mode, name }) => mode.startsWith("100") && isLicenseFile(name)).slice(0, maxLicenseFiles);
  const found = new Set<string>();
  for (const { oid } of entries) for (const id of await licensesIn(store, oid)) found.add(id);
  return [...found].sort();
}

/** Cached by blob: licenses rarely change, and comparing a text with all known licenses dominates the cost. */
async function licensesIn(store: GitStore, oid: Oid): Promise<readonly string[]> {
  const { cache } = store.shared;
  const known = cache.get(store.key, "licenses", oid);
  if (known !== undefined) return known;
  const text = (await readBlob(store, oid, maxLicenseBytes))?.data?.toString("utf8");
  const found = text === undefined ? [] : await detectLicenses(text);
  cache.set(store.key, "licenses", oid, found, 200);
  return found;
}
