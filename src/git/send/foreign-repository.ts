import { lstat, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { invalid, isForgeError } from "../../core/errors.ts";
import { isValidRepositoryName, isValidUsername } from "../../core/names.ts";
import { isMissing, onStorage, temporaryName } from "../objects/durable-fs.ts";
import { formatOfOid } from "../objects/hash.ts";
import { isPushableRefName } from "../objects/ref-names.ts";
import type { WriteReceipt } from "../objects/write.ts";
import { packDifference } from "../receive/copy-objects.ts";
import { isOid } from "../run/commands.ts";
import type { GitStore } from "../stores.ts";
import type { ObjectFormat, Oid } from "../types.ts";

/**
 * Bare repositories that an operator placed in a folder, `{owner}/{name}.git`. Their contents are untrusted: git never runs in them, so
 * their configuration and hooks have no effect; their refs are parsed as text; their objects are read by a process with another working
 * directory, and checked like those of a push. Paths that lead out of the folder (links, alternates) are rejected.
 */
export interface ForeignRepository {
  readonly owner: string;
  readonly name: string;
  readonly path: string;
}

const suffix = ".git";

/** Lists the repositories of a folder by name. Entries that are not bare repositories, or have invalid names, are left out. */
export async function listForeign(root: string): Promise<readonly ForeignRepository[]> {
  return onStorage(async () => {
    const found: ForeignRepository[] = [];
    for (const owner of await directoriesIn(root)) {
      for (const folder of await directoriesIn(join(root, owner))) {
        const repository = folder.endsWith(suffix) ? await findForeign(root, owner, folder.slice(0, -suffix.length)) : undefined;
        if (repository !== undefined) found.push(repository);
      }
    }
    return found;
  });
}

/** Undefined if it does not exist or is a symbolic link. */
export async function findForeign(root: string, owner: string, name: string): Promise<ForeignRepository | undefined> {
  if (!isValidUsername(owner) || !isValidRepositoryName(name) || name.startsWith(".")) return undefined;
  const path = join(root, owner, name + suffix);
  const isThere = (await isDirectory(join(root, owner))) && (await isDirectory(path)) && (await isDirectory(join(path, "objects")));
  return isThere ? { owner, name, path } : undefined;
}

/** Deletes it from disk. */
export async function removeForeign({ path }: ForeignRepository): Promise<void> {
  await onStorage(async () => {
    // Renamed first, so that a crash during the removal leaves nothing that resembles a repository.
    const doomed = join(path, "..", temporaryName("tmp_"));
    await rename(path, doomed);
    await rm(doomed, { recursive: true, force: true });
  });
}

export interface ForeignRefs {
  readonly format: ObjectFormat;
  /** Target of HEAD, full name; undefined if it is not a branch. */
  readonly headRef: string | undefined;
  /** Branches, tags and notes by full name. */
  readonly refs: ReadonlyMap<string, Oid>;
}

const maxRefs = 100_000;
const maxTextBytes = 64 * 1024 * 1024;
const importedFolders = ["refs/heads", "refs/tags", "refs/notes"] as const;

export interface ForeignRefsOptions {
  /** Also reads heads of pull requests: `refs/pull/1/head`. */
  readonly withPulls: boolean;
}

/** @throws ForgeError `invalid` for refs that cannot be read or imported */
export async function readForeignRefs(
  { path }: Pick<ForeignRepository, "path">,
  { withPulls }: ForeignRefsOptions = { withPulls: false },
): Promise<ForeignRefs> {
  const folders = withPulls ? [...importedFolders, "refs/pull"] : importedFolders;
  return onStorage(async () => {
    const refs = parsePackedRefs(await readText(join(path, "packed-refs")), folders);
    // A loose ref overrides the packed ref of the same name.
    for (const [name, oid] of await looseRefs(path, folders)) refs.set(name, oid);
    if (refs.size > maxRefs) throw invalid(`the repository has more than ${maxRefs} refs`);
    const formats = new Set([...refs.values()].map(formatOfOid));
    if (formats.size > 1) throw invalid("the refs of the repository mix two object formats");
    for (const name of refs.keys()) if (!isPushableRefName(name)) throw invalid(`${JSON.stringify(name)} is not a valid ref name`);
    const headRef = /^ref: (refs\/heads\/\S+)\s*$/.exec(await readText(join(path, "HEAD")))?.[1];
    return { format: [...formats][0] ?? "sha1", headRef, refs };
  });
}

/** Parses lines of git's refs/packed-backend.c: an id and a name. The header and the targets of annotated tags are skipped. */
function parsePackedRefs(text: string, folders: readonly string[]): Map<string, Oid> {
  const refs = new Map<string, Oid>();
  for (const line of text.split("\n")) {
    const [oid = "", name = ""] = line.split(" ");
    if (isOid(oid) && folders.some((folder) => name.startsWith(`${folder}/`))) refs.set(name, oid);
  }
  return refs;
}

async function looseRefs(path: string, folders: readonly string[]): Promise<readonly (readonly [string, Oid])[]> {
  const refs: (readonly [string, Oid])[] = [];
  const open = [...folders];
  for (let directory = open.pop(); directory !== undefined; directory = open.pop()) {
    for (const entry of await entriesOf(join(path, directory))) {
      const name = `${directory}/${entry.name}`;
      if (entry.isDirectory()) open.push(name);
      else if (entry.isFile() && !name.endsWith(".lock")) {
        const oid = (await readText(join(path, name))).trim();
        if (isOid(oid)) refs.push([name, oid]);
      } else if (!entry.isFile()) throw linked(name);
      if (refs.length + open.length > maxRefs) throw invalid(`the repository has more than ${maxRefs} refs`);
    }
  }
  return refs;
}

export interface ForeignImport {
  /** Tips that both have with their entire history. */
  readonly knownOids?: readonly Oid[];
  readonly signal?: AbortSignal;
}

/**
 * Imports everything that the tips need into a store. Each object is checked, and connectivity is verified.
 * @throws ForgeError `invalid` for links and alternates, and for broken or missing objects
 */
export async function importForeign(
  from: Pick<ForeignRepository, "path">,
  to: GitStore,
  tipOids: readonly Oid[],
  { knownOids = [], signal }: ForeignImport = {},
): Promise<WriteReceipt> {
  if (tipOids.length === 0) return { sizeBytes: 0 };
  const objectsPath = join(from.path, "objects");
  await onStorage(() => refuseWaysOut(objectsPath));
  const lender = {
    key: `foreign:${from.path}`,
    runner: to.runner,
    environment: async () => ({
      GIT_DIR: to.shared.home.neutralDirectory(to.format),
      GIT_OBJECT_DIRECTORY: objectsPath,
      // Commit graphs and bitmaps are untrusted: their content may be forged.
      GIT_CONFIG_COUNT: "3",
      GIT_CONFIG_KEY_0: "core.commitGraph",
      GIT_CONFIG_VALUE_0: "false",
      GIT_CONFIG_KEY_1: "core.multiPackIndex",
      GIT_CONFIG_VALUE_1: "false",
      GIT_CONFIG_KEY_2: "pack.useBitmaps",
      GIT_CONFIG_VALUE_2: "false",
    }),
  };
  return packDifference(lender, to, { tipOids, knownOids, signal }).catch((error: unknown) => {
    const isTheirs = isForgeError(error, "unavailable") && error.options.meta?.command === "pack-objects" && error.options.meta.reason === "exit";
    throw isTheirs ? invalid("git cannot read all objects of the repository", { cause: error }) : error;
  });
}

const linked = (name: string) => invalid(`the repository contains an entry that is neither a file nor a folder: ${name}`);

async function refuseWaysOut(objectsPath: string): Promise<void> {
  for (const name of ["alternates", "http-alternates"]) {
    if ((await readText(join(objectsPath, "info", name))).trim() !== "")
      throw invalid("the repository uses objects of another one (alternates): pack it with `git repack -a -d` first");
  }
  const open = [objectsPath];
  for (let directory = open.pop(); directory !== undefined; directory = open.pop()) {
    for (const entry of await entriesOf(directory)) {
      if (entry.isDirectory()) open.push(join(directory, entry.name));
      else if (!entry.isFile()) throw linked(entry.name);
    }
  }
}

/** Empty for a file that does not exist. */
async function readText(path: string): Promise<string> {
  try {
    const stats = await lstat(path);
    if (!stats.isFile()) throw linked(path.slice(path.lastIndexOf("/") + 1));
    if (stats.size > maxTextBytes) throw invalid("the refs of the repository are too large to read");
    return await readFile(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return "";
    throw error;
  }
}

async function entriesOf(path: string) {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

const directoriesIn = async (path: string): Promise<string[]> =>
  (await entriesOf(path))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isDirectory();
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
