import { countTurns } from "../../../../core/turns.ts";
import type { Db } from "../../../../db/db.ts";
import { readBlob, readCommit, readInfo, readTree } from "../../../../git/objects/objects.ts";
import type { GitStore, GitStores } from "../../../../git/stores.ts";
import type { CountedDirectory, Oid } from "../../../../git/types.ts";
import type { JobRun } from "../../../../jobs/queue.ts";
import { detectLicenses, isLicenseFile } from "../../../site/license-templates/license-detection.ts";
import { countFiles, isCounted, type LanguageSizes, type SizedFile, summarise } from "../languages.ts";
import { findContentSource, replaceContentDescription } from "../store/languages.ts";

export interface DescribeContentDeps {
  readonly db: Db;
  readonly git: GitStores;
}

/** Directories are analysed until they have this number of files; further ones hardly change the main language. */
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

/** Level by level, so that the upper levels are complete if a limit is reached. */
async function findLanguages(store: GitStore, rootOid: Oid, signal: AbortSignal): Promise<LanguageSizes> {
  const counted: CountedDirectory[] = [];
  const turn = countTurns();
  let files = 0;
  let level: readonly Folder[] = [{ name: "", oid: rootOid }];
  for (let depth = 0; level.length > 0 && depth < maxDepth; depth++) {
    const below: Folder[] = [];
    for (const { name: path, oid } of level) {
      signal.throwIfAborted();
      if (counted.length >= maxTrees || files >= maxFiles) return summarise(counted);
      const directory = await countDirectory(store, oid);
      counted.push(directory);
      files += directory.files;
      for (const folder of directory.folders) {
        if (below.length < maxTrees && isCounted(`${path}${folder.name}/x`)) below.push({ name: `${path}${folder.name}/`, oid: folder.oid });
      }
      await turn(directoryWeight + directory.folders.length);
    }
    level = below;
  }
  return summarise(counted);
}

/**
 * The files of one directory, without those below its folders. Cached by tree, so that a commit costs what it changes: whether a file counts follows from
 * its name and from the folders above, which all count.
 */
async function countDirectory(store: GitStore, treeOid: Oid): Promise<CountedDirectory> {
  const { cache } = store.shared;
  const known = cache.get(store.key, "countedDirectory", treeOid);
  if (known !== undefined) return known;
  const entries = (await readTree(store, treeOid)) ?? [];
  const folders = entries.filter(({ mode }) => mode === folderMode).slice(0, maxTrees);
  const found = entries.filter(({ mode, name }) => !otherModes.has(mode) && isCounted(name)).slice(0, maxFiles);
  const sized: SizedFile[] = [];
  for (let at = 0; at < found.length; at += batch) {
    const part = found.slice(at, at + batch);
    const infos = await Promise.all(part.map(({ oid }) => readInfo(store, oid)));
    for (const [index, { name }] of part.entries()) sized.push({ path: name, sizeBytes: infos[index]?.sizeBytes ?? 0 });
  }
  const { byLanguage, headers } = await countFiles(sized);
  const directory = { byLanguage, headers, files: found.length, folders: folders.map(({ name, oid }) => ({ name, oid })) };
  cache.set(store.key, "countedDirectory", treeOid, directory, countedBytes + folderBytes * folders.length);
  return directory;
}

type Folder = CountedDirectory["folders"][number];

const folderMode = "040000";
/** Folders, symbolic links and submodules. */
const otherModes: ReadonlySet<string> = new Set([folderMode, "120000", "160000"]);
/** Work for a directory whose files are counted already, in small objects. */
const directoryWeight = 10;
/** Approximate sizes in memory. */
const countedBytes = 400;
const folderBytes = 150;

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
