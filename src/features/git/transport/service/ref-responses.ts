import { LRUCache } from "lru-cache";
import type { Reader } from "../../../../db/db.ts";
import { branchPrefix } from "../../../repositories/refs/model.ts";
import { listAdvertised, refsVersionOf } from "../../../repositories/refs/service/read.ts";
import { type GitTarget, storeIdOf } from "../git-target.ts";
import type { AdvertisedStore } from "./advertise.ts";

/** Answers that consist of a store's refs. Between two moves of a ref all clients get the same bytes, so they are made once. */
export interface RefAnswers {
  /**
   * An answer from the refs as they were when the target was looked up, or later ones; from the refs as they are now for a target that was looked
   * up earlier than this request (`isHeld`). No statement where the answer for the code of a repository is kept, one more for a wiki or a held
   * target, and one more where the answer is made.
   * @param key everything that the answer depends on besides the refs
   */
  answer(target: GitTarget, key: string, make: (store: AdvertisedStore) => Buffer): Promise<Buffer>;
}

const maxBytes = 16 * 1024 * 1024;
/** A database that was restored while the server ran may count to the same version again. */
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
      // A wiki without a page is cloned as an empty repository, so that the first page can be pushed.
      if (storeId === null) return make({ format, headRef: branchPrefix + defaultBranch, refs: [] });
      const version = target.part === "code" && target.isHeld !== true ? target.repository.refsVersion : await refsVersionOf(db, storeId);
      const found = kept.get(`${storeId} ${version} ${key}`);
      if (found !== undefined) return found;
      const listing = await listAdvertised(db, storeId);
      const body = make({ format, headRef: listing?.headRef ?? branchPrefix + defaultBranch, refs: listing?.refs ?? [] });
      // Under the version that it was made from, which may be later than the one that was looked for.
      if (listing !== undefined) kept.set(`${storeId} ${listing.version} ${key}`, body);
      return body;
    },
  };
}
