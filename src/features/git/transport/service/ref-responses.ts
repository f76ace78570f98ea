import { LRUCache } from "lru-cache";
import type { Reader } from "../../../../db/db.ts";
import { branchPrefix } from "../../../repositories/refs/model.ts";
import type { RefListings } from "../../../repositories/refs/service/listings.ts";
import { refsVersionOf } from "../../../repositories/refs/service/read.ts";
import { type GitTarget, storeIdOf } from "../git-target.ts";
import type { AdvertisedStore } from "./advertise.ts";

/** Responses that depend only on a store's refs. All clients get the same bytes until a ref moves, so they are cached. */
export interface RefAnswers {
  /**
   * A response from the refs at the time of the target's lookup or later; for a held target (`isHeld`) from the current refs. No
   * statement if the response for a repository's code is cached, one more for a wiki or a held target, and one more if the response is
   * built.
   * @param key everything besides the refs that the response depends on
   */
  answer(target: GitTarget, key: string, make: MakeAnswer): Promise<readonly Buffer[]>;
}

type MakeAnswer = (store: AdvertisedStore) => readonly Buffer[] | Promise<readonly Buffer[]>;

/** Larger answers share their parts with the answers of other versions. */
const joinedBytes = 128 * 1024;
const maxBytes = 16 * 1024 * 1024;
/** A database restored while the server runs may reach the same version number again. */
const maxAgeMs = 60_000;

export function createRefAnswers({ db, refListings }: { readonly db: Reader; readonly refListings: RefListings }): RefAnswers {
  const kept = new LRUCache<string, readonly Buffer[]>({
    maxSize: maxBytes,
    maxEntrySize: maxBytes / 4,
    sizeCalculation: (parts, name) => sizeOf(parts) + 2 * name.length,
    ttl: maxAgeMs,
  });
  return {
    async answer(target, key, make) {
      const { defaultBranch, objectFormat: format } = target.repository;
      const storeId = storeIdOf(target);
      // A wiki without pages is cloned as an empty repository, so that the first page can be pushed.
      if (storeId === null) return make({ format, headRef: branchPrefix + defaultBranch, slices: [] });
      const version = target.part === "code" && target.isHeld !== true ? target.repository.refsVersion : await refsVersionOf(db, storeId);
      const found = kept.get(`${storeId} ${version} ${key}`);
      if (found !== undefined) return found;
      const listing = await refListings.read(storeId, "advertised");
      const parts = await make({ format, headRef: listing?.headRef ?? branchPrefix + defaultBranch, slices: listing?.slices ?? [] });
      const body = sizeOf(parts) <= joinedBytes ? [Buffer.concat(parts)] : parts;
      // Cached under the version that it was built from, which may be later than the requested one.
      if (listing !== undefined) kept.set(`${storeId} ${listing.version} ${key}`, body);
      return body;
    },
  };
}

const sizeOf = (parts: readonly Buffer[]): number => parts.reduce((size, { length }) => size + length, 0);
