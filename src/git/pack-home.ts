/**
 * Where the packs of stores are durable. By default that is the directory of each store on a local disk. If several nodes share the packs,
 * the directory is a copy of those that the database lists (docs/decisions/0071-packs-of-several-nodes.md).
 * `Store` is the type of handles on stores.
 */
export interface PackHome<Store> {
  /** Whether a collection removes old unreachable objects. They are set aside in the directory of the store, so it has to be permanent. */
  readonly mayExpire: boolean;
  /**
   * Makes new packs in the directory of a store durable for all nodes. The next transaction that moves refs of the store lists them.
   * @param names base names of their files, without extension
   * @throws ForgeError `unavailable`
   */
  publish(store: Store, names: readonly string[]): Promise<void>;
  /**
   * Brings the directory of a store up to the version of the list of packs that the handle needs.
   * @returns undefined if it is up to date, which takes no statement
   */
  bring(store: Store): Promise<void> | undefined;
  /** Number of times that packs have arrived in the directory of a store. */
  arrivals(store: Store): number;
  /**
   * Brings the directory up to the present list, for an object that was not found.
   * @param seen {@link arrivals} before the search: another reader may have brought the packs since
   * @returns whether packs have arrived since `seen`
   */
  refresh(store: Store, seen: number): Promise<boolean>;
  /** Lists what was published, for objects that are used before a ref reaches them. */
  list(storeId: number): Promise<void>;
  /** Gives a new store the packs of another one, except for those of unreachable objects. They are listed as published ones are. */
  share(from: Store, to: Store): Promise<void>;
  /** Runs a step that replaces packs in the directory of a store, and replaces them in the list. */
  replacing<T>(store: Store, work: () => Promise<T>): Promise<T>;
  /** Checks that the packs of a store are where other nodes read them, and repairs what the copy on this node allows. @returns the problems, one line each */
  check(store: Store): Promise<readonly string[]>;
  /** Forgets a store whose directory is removed. */
  forget(storeId: number): void;
  close(): Promise<void>;
}

/** The directories of the stores are the only place. */
export const packsOnDisk: PackHome<unknown> = {
  mayExpire: true,
  publish: async () => {},
  bring: () => undefined,
  arrivals: () => 0,
  refresh: async () => false,
  list: async () => {},
  share: async () => {},
  replacing: (_store, work) => work(),
  check: async () => [],
  forget: () => {},
  close: async () => {},
};
