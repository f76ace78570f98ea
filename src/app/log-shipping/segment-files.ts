import { readFile, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { isMissing } from "../../git/objects/durable-fs.ts";
import { forEachOf, uploadFile } from "./base.ts";
import type { LogPlace } from "./place.ts";
import type { EmbeddedFile } from "./segment.ts";
import { listStore, storePathOf } from "./tracked-files.ts";

const embeddedBytes = 65_536;
const embeddedTotal = 4 * 1_048_576;

/** Uploads the files that a segment needs. Small ones become part of it. */
export async function prepareFiles(
  place: LogPlace,
  dataDirectory: string,
  paths: readonly string[],
): Promise<{ readonly embedded: EmbeddedFile[]; readonly stored: string[] }> {
  const embedded: EmbeddedFile[] = [];
  const stored: string[] = [];
  const seen = new Set(paths);
  let total = 0;
  const waiting = [...paths];
  const prepare = async (path: string): Promise<void> => {
    try {
      const file = join(dataDirectory, path);
      const { size } = await stat(file);
      if (size <= embeddedBytes && total + size <= embeddedTotal) {
        total += size;
        embedded.push({ path, content: await readFile(file) });
        return;
      }
      if (await uploadFile(place, dataDirectory, path)) {
        stored.push(path);
        return;
      }
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    // Housekeeping has put the objects into another pack, or the store was deleted.
    const store = storePathOf(path);
    if (store === undefined) return;
    for (const found of (await listStore(join(dataDirectory, store))).map((one) => relative(dataDirectory, one)))
      if (!seen.has(found)) {
        seen.add(found);
        waiting.push(found);
      }
  };
  for (let batch = waiting.splice(0); batch.length > 0; batch = waiting.splice(0)) await forEachOf(batch, prepare);
  return { embedded, stored };
}
