import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "../../core/log.ts";
import { type FileContent, isMissing, onStorage, openNewFile } from "../objects/durable-fs.ts";
import { ownerOf, ownName } from "../objects/owners.ts";
import { repositoryConfig } from "../run/environment.ts";
import type { ObjectFormat } from "../types.ts";
import { formatPackedRefs, headContent, type RefProjection } from "./packed-refs.ts";

/**
 * Git directories that expose refs to git processes. A snapshot has HEAD and `packed-refs` as read from the database, is immutable, and is
 * removed by its owner when no process uses it. Git processes never use the store's own directory
 * (docs/decisions/0055-ref-snapshots-for-git.md).
 */

/**
 * `fetch`: shared by requests that read the same refs.
 * `upkeep`: for processes that delete unreachable objects. A missing `packed-refs` file reads as "no refs", so such a directory must not
 * disappear while its process runs, even if the process has outlived the server.
 */
export type SnapshotPurpose = "fetch" | "upkeep";

/** Hex digest of everything that a git process reads in a snapshot. */
export function snapshotDigest(format: ObjectFormat, { headRef, packedRefs }: SnapshotContent): string {
  const hash = createHash("sha256").update(`${format}\n${headContent(headRef)}`);
  for (const part of packedRefs) hash.update(part);
  return hash.digest("hex");
}

export interface SnapshotContent {
  /** Full name. */
  readonly headRef: string;
  /** Parts of the `packed-refs` file. */
  readonly packedRefs: readonly Buffer[];
}

export const snapshotContent = ({ headRef, slices }: RefProjection): SnapshotContent => ({ headRef, packedRefs: formatPackedRefs(slices) });

/** The snapshots of one server process. They need not survive it. */
export interface SnapshotDirectories {
  /** @returns the path of a new git directory. @throws ForgeError `unavailable` if the storage fails */
  make(format: ObjectFormat, purpose: SnapshotPurpose, content: SnapshotContent): Promise<string>;
  /** Never throws. No process may use the directory any more. */
  remove(path: string): Promise<void>;
  /** Removes all remaining snapshots. Every git process must have ended. */
  close(): Promise<void>;
}

/** Longer than the time limit of any maintenance process. */
const upkeepMs = 24 * 60 * 60 * 1000;

/** @param root contains only snapshots, of this process and of others */
export async function openSnapshotDirectories(root: string, log: Log): Promise<SnapshotDirectories> {
  let last = 0;
  await onStorage(async () => {
    mkdirSync(root, { recursive: true });
    await removeStale(root, log);
  });
  const own = join(root, ownName());

  const remove = async (path: string): Promise<void> => {
    await rm(path, { recursive: true, force: true }).catch((error: unknown) => log.warn({ err: error, path }, "failed to remove a snapshot of refs"));
  };

  return {
    async make(format, purpose, { headRef, packedRefs }) {
      last += 1;
      const path = join(own, `${purpose}-${last}`);
      return onStorage(async () => {
        try {
          mkdirSync(join(path, "refs"), { recursive: true });
          // HEAD comes last: git recognizes the directory as a repository only once it is complete.
          await writeWhole(join(path, "config"), repositoryConfig(format));
          await writeWhole(join(path, "packed-refs"), packedRefs);
          await writeWhole(join(path, "HEAD"), headContent(headRef));
          return path;
        } catch (error) {
          await remove(path);
          throw error;
        }
      });
    },
    remove,
    close: () => remove(own),
  };
}

/** Not synced, because it is not read after a crash. */
async function writeWhole(path: string, content: FileContent): Promise<void> {
  const file = openNewFile(path);
  try {
    await file.write(content);
  } finally {
    file.close();
  }
}

/**
 * Removes snapshots of dead processes: those for fetches immediately, those for maintenance after a day, because a git process of a killed
 * server may still read them. A process on another host counts as dead after a day without a change.
 */
async function removeStale(root: string, log: Log): Promise<void> {
  for (const name of await readdir(root)) {
    const owner = ownerOf(name);
    if (owner !== "ended" && owner !== "elsewhere") continue;
    const isHere = owner === "ended";
    const directory = join(root, name);
    try {
      const entries = await readdir(directory);
      const kept = await Promise.all(
        entries.map(async (entry) => {
          const path = join(directory, entry);
          const isOld = await isOlderThan(path, upkeepMs);
          if (!isOld && (!isHere || !entry.startsWith("fetch-"))) return true;
          await rm(path, { recursive: true, force: true });
          return false;
        }),
      );
      if (!kept.includes(true) && (isHere || (await isOlderThan(directory, upkeepMs)))) await rm(directory, { recursive: true, force: true });
    } catch (error) {
      if (!isMissing(error)) log.warn({ err: error, directory }, "failed to remove snapshots of refs left by a former process");
    }
  }
}

async function isOlderThan(path: string, ageMs: number): Promise<boolean> {
  return (await stat(path)).mtimeMs < Date.now() - ageMs;
}
