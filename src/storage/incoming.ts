import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openNewFile, removeQuietly, temporaryName } from "../git/objects/durable-fs.ts";

/** Folder for incoming files, inside the files folder. */
export const incomingFolder = "incoming";

/**
 * Writes streamed content to a temporary file, durable except for its name, and passes it to `work`. Afterwards the file is deleted, unless
 * `work` has moved it; a sweep removes the temporary files of killed processes.
 */
export async function withIncoming<T>(root: string, content: AsyncIterable<Uint8Array>, work: (path: string) => Promise<T>): Promise<T> {
  const folder = join(root, incomingFolder);
  mkdirSync(folder, { recursive: true });
  const path = join(folder, temporaryName("tmp_"));
  try {
    const file = openNewFile(path);
    try {
      for await (const chunk of content) await file.write(chunk);
      await file.sync();
    } finally {
      file.close();
    }
    return await work(path);
  } finally {
    removeQuietly(path);
  }
}
