import { createReadStream, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { isForgeError } from "../../core/errors.ts";
import type { Tx } from "../../db/db.ts";
import { checkPicture } from "../../features/accounts/avatars/picture.ts";
import { keepFile } from "../../features/site/blobs/service/keep.ts";
import type { FileStores } from "../../storage/open.ts";

/** A file of Gitea that is stored, or would be in a dry run. */
export interface KeptFile {
  readonly digest: string;
  readonly sizeBytes: number;
  /** The name in the file store; empty in a dry run. */
  readonly file: string;
}

/** Copies files of Gitea. A dry run copies nothing, and only looks for them. */
export interface FileCopier {
  /**
   * @param name its LFS id, the UUID of its attachment, or {@link artifactFileName}
   * @returns undefined for a missing file
   */
  upload(path: string, name: string): Promise<KeptFile | undefined>;
  /** @returns the name of the picture; empty for one that is missing or refused */
  picture(path: string): Promise<string>;
}

/**
 * @param stores undefined for a dry run
 * @param findKept a file that an earlier import has stored
 */
export function fileCopier(stores: FileStores | undefined, findKept?: (name: string) => Promise<KeptFile | undefined>): FileCopier {
  return {
    async upload(path, name) {
      const size = sizeOf(path);
      if (size === undefined) return undefined;
      if (stores === undefined) return { digest: "", sizeBytes: size, file: "" };
      const kept = await findKept?.(name);
      if (kept?.sizeBytes === size) return kept;
      const received = await stores.files.receive(createReadStream(path), { maxBytes: Number.MAX_SAFE_INTEGER });
      return { digest: received.digest, sizeBytes: received.sizeBytes, file: received.name };
    },
    async picture(path) {
      if (sizeOf(path) === undefined) return "";
      try {
        const picture = checkPicture(await readFile(path));
        return stores === undefined ? basename(path) : await stores.avatars.put(picture);
      } catch (error) {
        if (isForgeError(error, "invalid") || isForgeError(error, "too_large")) return "";
        throw error;
      }
    },
  };
}

function sizeOf(path: string): number | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true ? stats.size : undefined;
}

/** Registers files in the transaction of the rows that refer to them. Further copies of the same content are removed by the daily sweep. */
export async function keepFiles(tx: Tx, files: readonly KeptFile[]): Promise<void> {
  for (const { digest, sizeBytes, file } of files) await keepFile(tx, { digest, sizeBytes, file });
}

/** A job that runs again replaces the content of its artifact, under the same id. */
export const artifactFileName = (id: number, updatedMs: number): string => `${id} ${updatedMs}`;

export const lfsPath = (folder: string, oid: string): string => join(folder, oid.slice(0, 2), oid.slice(2, 4), oid.slice(4));
export const attachmentPath = (folder: string, uuid: string): string => join(folder, uuid.slice(0, 1), uuid.slice(1, 2), uuid);
