import { mapInPieces } from "../../../../core/turns.ts";
import { findEntry, readBlob, readCommit, readInfo } from "../../../../git/objects/objects.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Commit, FileMode, Oid } from "../../../../git/types.ts";
import { readLfsPointer } from "../../commits/lfs-pointer.ts";
import { maxSubmodulesBytes, readSubmodules } from "../gitmodules.ts";
import type { EntryView } from "../model.ts";

export interface FoundEntry {
  readonly path: string;
  readonly mode: FileMode;
  readonly oid: Oid;
  readonly lastCommitOid: Oid | undefined;
}

export interface Description {
  readonly store: GitStore;
  /** The root tree, which contains `.gitmodules`. */
  readonly rootTreeOid: Oid;
  readonly content: boolean;
  readonly lfs: boolean;
  /** Larger files are returned without content. */
  readonly maxContentBytes: number;
}

const maxPointerBytes = 1_024;
/** Longer than the path limit of any system. */
const maxTargetBytes = 4_096;

/** Loads all details of entries. Objects are read in batches, from the cache or a warm worker; no statement. */
export async function describeEntries(entries: readonly FoundEntry[], description: Description): Promise<EntryView[]> {
  const { store, rootTreeOid } = description;
  const submodules = entries.some(({ mode }) => mode === "160000") ? await loadSubmodules(store, rootTreeOid) : undefined;
  const commitOf = commitReader(store);
  return mapInPieces(entries, async ({ path, mode, oid, lastCommitOid }) => ({
    path,
    mode,
    oid,
    ...(await describeBlob({ mode, oid }, description)),
    submoduleUrl: mode === "160000" ? submodules?.get(path) : undefined,
    lastCommit: await commitOf(lastCommitOid),
  }));
}

/** Returns a reader for the last commits of entries that reads each commit once. */
export function commitReader(store: GitStore): (oid: Oid | undefined) => Promise<Commit | undefined> {
  const commits = new Map<Oid, Promise<Commit | undefined>>();
  return async (oid) => {
    if (oid === undefined) return undefined;
    const known = commits.get(oid) ?? readCommit(store, oid);
    commits.set(oid, known);
    return known;
  };
}

type BlobDetails = Pick<EntryView, "sizeBytes" | "content" | "pointer" | "target">;

const nothing: BlobDetails = { sizeBytes: 0, content: undefined, pointer: undefined, target: undefined };

async function describeBlob({ mode, oid }: Pick<FoundEntry, "mode" | "oid">, { store, content, lfs, maxContentBytes }: Description): Promise<BlobDetails> {
  if (mode === "040000" || mode === "160000") return nothing;
  if (mode === "120000") {
    const link = await readBlob(store, oid, maxTargetBytes);
    return { ...nothing, sizeBytes: link?.sizeBytes ?? 0, target: link?.data?.toString("utf8") };
  }
  if (!content && !lfs) return { ...nothing, sizeBytes: (await readInfo(store, oid))?.sizeBytes ?? 0 };
  const blob = await readBlob(store, oid, content ? maxContentBytes : maxPointerBytes);
  return {
    ...nothing,
    sizeBytes: blob?.sizeBytes ?? 0,
    content: content ? blob?.data : undefined,
    pointer: lfs && blob?.data !== undefined ? readLfsPointer(blob.data) : undefined,
  };
}

async function loadSubmodules(store: GitStore, rootTreeOid: Oid): Promise<ReadonlyMap<string, string>> {
  const entry = await findEntry(store, rootTreeOid, ".gitmodules");
  const isFile = entry?.mode === "100644" || entry?.mode === "100755";
  const blob = isFile ? await readBlob(store, entry.oid, maxSubmodulesBytes) : undefined;
  return readSubmodules(blob?.data?.toString("utf8") ?? "");
}
