import { notFound } from "../../../../core/errors.ts";
import type { Db, Reader } from "../../../../db/db.ts";
import type { RefProjection } from "../../../../git/send/packed-refs.ts";
import { sliceRefs } from "../../../../git/send/ref-slices.ts";
import { snapshotContent, snapshotDigest } from "../../../../git/send/ref-snapshots.ts";
import { type StoreWithRefs, withRefs } from "../../../../git/send/store-with-refs.ts";
import { type GitStore, type GitStores, needPacks } from "../../../../git/stores.ts";
import { type RefScope, readListing, readVersions } from "../store/listing.ts";
import type { RefListings, SlicedListing } from "./listings.ts";

/**
 * Provides git processes with the refs of the database as of the call. Requests that read the same refs share one snapshot. It is
 * kept until the refs move or other snapshots need its place, and longer only while a process uses it.
 */
export interface RefSnapshots {
  /**
   * Takes a snapshot of a store's present refs; the caller releases it. One statement if they have not moved since the last call, otherwise two.
   * @throws ForgeError `not_found` for an unknown store, `unavailable` for a storage error
   */
  take(store: GitStore, scope: SharedScope): Promise<RefSnapshot>;
  readonly counters: Readonly<SnapshotCounters>;
}

export type SharedScope = Exclude<RefScope, "all">;

/** A snapshot in use. It stays on disk until `release` is called once for `take` and once for each `retain`. */
export interface RefSnapshot extends Disposable {
  /** The store, with these refs for its git processes. */
  readonly store: GitStore | StoreWithRefs;
  /** Digest of everything that a git process can read of the refs: equal digests mean equal refs. */
  readonly digest: string;
  retain(): void;
  release(): void;
}

export interface SnapshotCounters {
  /** Number of snapshots written since the start. */
  made: number;
  /** Number of snapshots on disk. */
  present: number;
}

export interface SnapshotDeps {
  readonly db: Db;
  readonly git: Pick<GitStores, "shared">;
  readonly refListings: RefListings;
}

export interface RefSnapshotOptions {
  /** Maximum number of unused snapshots to keep. */
  readonly maxUnused?: number;
}

const defaultUnused = 32;

interface Entry {
  readonly digest: string;
  /** Undefined if the scope has no refs. */
  readonly path: string | undefined;
  /** The latest version of the refs that the snapshot is known to equal. */
  version: number;
  /** Version of the list of packs that has the objects of the refs. */
  readonly packsVersion: number;
  users: number;
  /** New requests do not use it; it is deleted with its last user. */
  isSuperseded: boolean;
}

/** A snapshot being created, and the calls that wait for it. */
interface Making {
  readonly entry: Promise<Entry>;
  users: number;
}

const scopes: readonly SharedScope[] = ["tags", "advertised"];
const nameOf = (storeId: number, scope: SharedScope): string => `${storeId} ${scope}`;

export function createRefSnapshots({ db, git, refListings }: SnapshotDeps, { maxUnused = defaultUnused }: RefSnapshotOptions = {}): RefSnapshots {
  /** The newest snapshot of each store and scope, least recently used first. */
  const current = new Map<string, Entry>();
  /** By store, scope and version. */
  const makings = new Map<string, Making>();
  const counters: SnapshotCounters = { made: 0, present: 0 };

  function remove({ path }: Entry): void {
    if (path === undefined) return;
    counters.present -= 1;
    void git.shared.snapshots.remove(path);
  }

  function supersede(name: string, entry: Entry): void {
    if (current.get(name) === entry) current.delete(name);
    if (entry.isSuperseded) return;
    entry.isSuperseded = true;
    if (entry.users === 0) remove(entry);
  }

  function touch(name: string, entry: Entry): void {
    if (!current.delete(name)) return;
    current.set(name, entry);
    let unused = [...current.values()].filter(({ users }) => users === 0).length;
    for (const [oldName, old] of current) {
      if (unused <= maxUnused) return;
      if (old.users > 0) continue;
      supersede(oldName, old);
      unused -= 1;
    }
  }

  /** @param settle counts the users of the entry in the same tick in which it is found or created, so that it cannot be deleted before */
  async function make(store: GitStore, scope: SharedScope, settle: (entry: Entry) => Entry): Promise<Entry> {
    const listing = await refListings.read(store.id, scope);
    if (listing === undefined) throw notFound();
    const name = nameOf(store.id, scope);
    const content = snapshotContent(shownBy(listing, scope));
    const digest = snapshotDigest(store.format, content);
    const known = current.get(name);
    if (known?.digest === digest) {
      known.version = Math.max(known.version, listing.version);
      return settle(known);
    }
    const isEmpty = scope === "tags" && listing.slices.length === 0;
    const path = isEmpty ? undefined : await git.shared.snapshots.make(store.format, "fetch", content);
    if (path !== undefined) {
      counters.made += 1;
      counters.present += 1;
    }
    const entry = settle({ digest, path, version: listing.version, packsVersion: listing.packsVersion, users: 0, isSuperseded: false });
    const other = current.get(name);
    // A call that read a later version may have finished first.
    if (other !== undefined && other.version > entry.version) entry.isSuperseded = true;
    else {
      if (other !== undefined) supersede(name, other);
      current.set(name, entry);
    }
    return entry;
  }

  /** Calls that found the same version share the work: the refs are read after that version was found. */
  function join(store: GitStore, scope: SharedScope, version: number): Promise<Entry> {
    const key = `${nameOf(store.id, scope)} ${version}`;
    const present = makings.get(key);
    if (present !== undefined) {
      present.users += 1;
      return present.entry;
    }
    const made = make(store, scope, (entry) => {
      makings.delete(key);
      entry.users += making.users;
      return entry;
    });
    const making: Making = { entry: made, users: 1 };
    makings.set(key, making);
    made.catch(() => makings.delete(key));
    return made;
  }

  function lease(store: GitStore, name: string, entry: Entry): RefSnapshot {
    // The refs may have moved after the caller read the row of the store.
    needPacks(store, entry.packsVersion);
    let uses = 1;
    const release = (): void => {
      if (uses === 0) throw new Error("a snapshot of refs was released too often");
      uses -= 1;
      entry.users -= 1;
      if (entry.users > 0) return;
      if (entry.isSuperseded) remove(entry);
      else touch(name, entry);
    };
    return {
      store: entry.path === undefined ? store : withRefs(store, entry.path),
      digest: entry.digest,
      retain(): void {
        if (uses === 0) throw new Error("a snapshot of refs was used after its release");
        uses += 1;
        entry.users += 1;
      },
      release,
      [Symbol.dispose]: release,
    };
  }

  db.listen("refs", (value) => {
    for (const scope of scopes) {
      const name = nameOf(value as number, scope);
      const entry = current.get(name);
      if (entry !== undefined) supersede(name, entry);
    }
  });

  return {
    counters,
    async take(store, scope) {
      const versions = await readVersions(db, store.id);
      if (versions === undefined) throw notFound();
      const { version } = versions;
      const name = nameOf(store.id, scope);
      const known = current.get(name);
      if (known?.version === version) {
        known.users += 1;
        return lease(store, name, known);
      }
      return lease(store, name, await join(store, scope, version));
    },
  };
}

/** Git reads HEAD only together with all refs, so for the scope of tags it is fixed. */
const shownBy = (listing: SlicedListing, scope: SharedScope): RefProjection =>
  scope === "tags" ? { headRef: "refs/heads/none", slices: listing.slices } : listing;

/**
 * Runs maintenance of a store with all its present refs, including hidden ones. The snapshot is not shared, and is deleted afterwards.
 * @returns undefined for an unknown store
 * @throws ForgeError `unavailable` for a storage error; as `work`
 */
export async function withAllRefs<T>(
  { db, git }: { readonly db: Reader; readonly git: Pick<GitStores, "shared"> },
  store: GitStore,
  work: (store: StoreWithRefs) => Promise<T>,
): Promise<T | undefined> {
  const listing = await readListing(db, store.id, "all");
  return listing && withListing(git, store, { ...listing, slices: sliceRefs(listing.refs) }, work);
}

/** As {@link withAllRefs}, from the kept listing: for frequent work that deletes no unreachable objects. */
export async function withListedRefs<T>(
  { git, refListings }: { readonly git: Pick<GitStores, "shared">; readonly refListings: RefListings },
  store: GitStore,
  work: (store: StoreWithRefs) => Promise<T>,
): Promise<T | undefined> {
  const listing = await refListings.read(store.id, "all");
  return listing && withListing(git, store, listing, work);
}

async function withListing<T>(
  { shared }: Pick<GitStores, "shared">,
  store: GitStore,
  listing: RefProjection & Pick<SlicedListing, "packsVersion">,
  work: (store: StoreWithRefs) => Promise<T>,
): Promise<T> {
  needPacks(store, listing.packsVersion);
  const path = await shared.snapshots.make(store.format, "upkeep", snapshotContent(listing));
  try {
    return await work(withRefs(store, path));
  } finally {
    await shared.snapshots.remove(path);
  }
}
