import type { GitStore } from "../stores.ts";

/** A store whose git processes see the refs of one snapshot. */
export interface StoreWithRefs extends GitStore {
  /** The git directory of the snapshot. */
  readonly refsDirectory: string;
}

/** Returns a handle on the same store with the refs of a snapshot. */
export const withRefs = (store: GitStore, refsDirectory: string): StoreWithRefs => ({
  ...store,
  refsDirectory,
  environment: async () => ({ ...(await store.environment()), GIT_DIR: refsDirectory }),
});
