import { pageOfObjects } from "../store/objects.ts";
import type { LfsDeps } from "./deps.ts";

const pageSize = 500;

/**
 * Looks whether the content of every object is where its row says, and as large. What it says inside is not read.
 * @param say called with each that is not
 * @returns how many there are
 */
export async function checkLfsFiles({ db, lfsFiles }: Pick<LfsDeps, "db" | "lfsFiles">, say: (repoId: number, text: string) => void): Promise<number> {
  let count = 0;
  for (let page = await pageOfObjects(db, undefined, pageSize); page.length > 0; page = await pageOfObjects(db, page.at(-1), pageSize)) {
    for (const { repoId, oid, sizeBytes, file } of page) {
      const found = await lfsFiles.sizeOf(file);
      if (found === undefined) say(repoId, `the large file ${oid} is missing`);
      else if (found !== sizeBytes) say(repoId, `the large file ${oid} has ${found} bytes instead of ${sizeBytes}`);
    }
    count += page.length;
  }
  return count;
}
