import { LRUCache } from "lru-cache";
import type { Reader } from "../../../db/db.ts";
import { allRefs } from "../../refs/service/read.ts";
import { getStore } from "../../refs/service/stores.ts";
import { branchPrefix, hiddenPrefix } from "../../refs/view.ts";
import { type GitTarget, storeIdOf } from "../git-target.ts";
import type { AdvertisedStore } from "./advertise.ts";

/** Answers that tell nothing but a store's refs. Between two moves of a ref everybody gets the same bytes, so they are made once. */
export interface RefAnswers {
  /**
   * What the refs are, or were when the target was looked up. No statement where the answer of a repository's code is kept, one for a wiki's; two more where it is made.
   * @param key everything that the answer depends on besides the refs
   */
  answer(target: GitTarget, key: string, make: (store: AdvertisedStore) => Buffer): Promise<Buffer>;
}

const maxBytes = 16 * 1024 * 1024;
/** A database that lost its disk and came back may count to the same version again. */
const maxAgeMs = 60_000;

export function createRefAnswers({ db }: { readonly db: Reader }): RefAnswers {
  const kept = new LRUCache<string, Buffer>({
    maxSize: maxBytes,
    maxEntrySize: maxBytes / 4,
    sizeCalculation: (body, name) => body.length + 2 * name.length,
    ttl: maxAgeMs,
  });
  return {
    async answer(target, key, make) {
      const { defaultBranch, objectFormat: format } = target.repository;
      const storeId = storeIdOf(target);
      // Whoever clones a wiki that has no page yet gets an empty repository, and can push the first page.
      if (storeId === null) return make({ format, headRef: branchPrefix + defaultBranch, refs: [] });
      // The version is read before the refs: what is kept under it is that or newer.
      const version = target.part === "code" ? target.repository.refsVersion : (await getStore(db, storeId))?.refsVersion;
      const name = `${storeId} ${version} ${key}`;
      const found = kept.get(name);
      if (found !== undefined) return found;
      const store = await getStore(db, storeId);
      const refs = await allRefs(db, storeId);
      const body = make({
        format,
        headRef: store?.headRef ?? branchPrefix + defaultBranch,
        refs: refs.filter((ref) => !ref.name.startsWith(hiddenPrefix)),
      });
      kept.set(name, body);
      return body;
    },
  };
}
