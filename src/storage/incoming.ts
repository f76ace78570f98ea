import { join } from "node:path";
import { ensureDirectory, openNewFile, removeQuietly, temporaryName } from "../git/objects/durable-fs.ts";

/** The folder, below that of the files, where content lies while it comes. */
export const incomingFolder = "incoming";

/**
 * Writes content to a file of its own as it comes, durably but for its name, and hands it to `work`. Afterwards the file is gone, if `work` has not moved it;
 * what a killed process leaves of one a sweep takes.
 */
export async function withIncoming<T>(root: string, content: AsyncIterable<Uint8Array>, work: (path: string) => Promise<T>): Promise<T> {
  const folder = join(root, incomingFolder);
  await ensureDirectory(folder);
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
