import { LRUCache } from "lru-cache";
import type { Reader } from "../../../../db/db.ts";
import { countSliced, perSlice, type RefSlices, sliceRefs, slicesBelow, updateSlices } from "../../../../git/send/ref-slices.ts";
import { branchPrefix, hiddenPrefix, type RefView, tagPrefix } from "../model.ts";
import { type RefScope, readBelow, readListing } from "../store/listing.ts";
import { changesSince } from "../store/ref-moves.ts";

/** Refs of a store, and their version. */
export interface SlicedListing {
  readonly version: number;
  readonly token: number;
  /** Version of the list of packs that has the objects of these refs. */
  readonly packsVersion: number;
  /** Full name. */
  readonly headRef: string;
  readonly slices: RefSlices<RefView>;
}

/**
 * Reads the refs of stores. Listings with many refs are kept: the next read applies the moves since then, so that the cost of a push does not
 * grow with the number of refs.
 */
export interface RefListings {
  /**
   * The refs as of the call; undefined for an unknown store. One statement for up to 5,000 refs and for a kept listing, otherwise one more for
   * each further 5,000 refs.
   */
  read(storeId: number, scope: RefScope): Promise<SlicedListing | undefined>;
  /**
   * The refs as of the call that clients can see and whose full names begin with `prefix`; none for an unknown store. Statements as
   * {@link read}, but without a kept listing, a prefix that excludes branches reads only its refs.
   */
  readBelow(storeId: number, prefix: string): Promise<RefSlices<RefView>>;
  readonly counters: Readonly<ListingCounters>;
}

export interface ListingCounters {
  /** Listings that were read as a whole. */
  whole: number;
  /** Kept listings that were brought up to date. */
  updated: number;
}

/** Smaller listings are one cheap statement. */
const leastKept = 2_000;
/** About 250 bytes each. */
const maxKeptRefs = 200_000;
/** Returns the memory of stores that are not read any more. */
const maxUnusedMs = 60 * 60_000;

export function createRefListings({ db }: { readonly db: Reader }): RefListings {
  const kept = new LRUCache<number, SlicedListing>({
    maxSize: maxKeptRefs,
    sizeCalculation: ({ slices }) => countSliced(slices) + 1,
    ttl: maxUnusedMs,
    updateAgeOnGet: true,
  });
  const counters: ListingCounters = { whole: 0, updated: 0 };

  async function update(storeId: number, known: SlicedListing): Promise<SlicedListing | undefined> {
    const changes = await changesSince(db, storeId, known);
    if (changes === undefined) return undefined;
    counters.updated += 1;
    const slices = changes.moved.size === 0 ? known.slices : updateSlices(known.slices, changes.moved);
    const { version, token, packsVersion, headRef } = changes;
    return { version, token, packsVersion, headRef, slices };
  }

  async function readWhole(storeId: number, scope: "tags" | "all"): Promise<SlicedListing | undefined> {
    const listing = await readListing(db, storeId, scope);
    if (listing === undefined) return undefined;
    counters.whole += 1;
    const { refs, ...state } = listing;
    return { ...state, slices: sliceRefs(refs) };
  }

  const listings: RefListings = {
    counters,
    async readBelow(storeId, prefix) {
      // Branches are usually most of the refs.
      if (kept.has(storeId) || branchPrefix.startsWith(prefix)) {
        const listing = await listings.read(storeId, "advertised");
        return listing === undefined ? [] : slicesBelow(listing.slices, prefix);
      }
      const listing = await readBelow(db, storeId, prefix);
      return listing === undefined ? [] : filled(sliceRefs(listing.refs).map(advertised));
    },
    async read(storeId, scope) {
      const known = kept.get(storeId);
      const updated = known && (await update(storeId, known));
      if (updated !== undefined) {
        // Another call may have read a later version meanwhile. A listing that is too small again leaves at its time.
        if ((kept.peek(storeId)?.version ?? Number.POSITIVE_INFINITY) <= updated.version) kept.set(storeId, updated);
        return inScope(updated, scope);
      }
      if (known !== undefined) kept.delete(storeId);
      // The annotated tags are few, and a statement of their own finds them.
      if (scope === "tags") return readWhole(storeId, "tags");
      const whole = await readWhole(storeId, "all");
      if (whole === undefined) return undefined;
      if (countSliced(whole.slices) >= leastKept) kept.set(storeId, whole);
      return inScope(whole, scope);
    },
  };
  return listings;
}

const inScope = (listing: SlicedListing, scope: RefScope): SlicedListing =>
  scope === "all" ? listing : { ...listing, slices: filled(listing.slices.map(scope === "tags" ? annotatedTags : advertised)) };

const isHidden = ({ name }: RefView): boolean => name.startsWith(hiddenPrefix);
const advertised = perSlice((refs: readonly RefView[]) => (refs.some(isHidden) ? refs.filter((ref) => !isHidden(ref)) : refs));
const annotatedTags = perSlice((refs: readonly RefView[]) => refs.filter(({ name, peeledOid }) => peeledOid !== "" && name.startsWith(tagPrefix)));
const filled = (slices: RefSlices<RefView>): RefSlices<RefView> => slices.filter(({ length }) => length > 0);
