import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isForgeError } from "../../core/errors.ts";
import { isMissing, onStorage, replaceFile } from "../objects/durable-fs.ts";
import type { StoreWithRefs } from "../send/store-with-refs.ts";
import type { GitStore } from "../stores.ts";
import type { Oid } from "../types.ts";
import { checkConnected } from "./connectivity.ts";

/**
 * The refs with which the last garbage collection of a store ran, in the format of `packed-refs`. Everything that they reach is in packs of
 * reachable objects, so a search for missing objects can stop there.
 */
const fileOf = (store: GitStore): string => join(store.path, "collected-refs");

/** Records that a collection with the refs of the snapshot has succeeded. */
export async function writeCollectedRefs(store: StoreWithRefs): Promise<void> {
  await onStorage(async () => replaceFile(fileOf(store), await readFile(join(store.refsDirectory, "packed-refs"))));
}

/** Empty for a store without a collection. */
export async function readCollectedRefs(store: GitStore): Promise<ReadonlySet<Oid>> {
  try {
    return new Set(Array.from((await readFile(fileOf(store), "utf8")).matchAll(/^[0-9a-f]{40,64}(?= )/gm), ([oid]) => oid as Oid));
  } catch (error) {
    if (isMissing(error)) return new Set();
    throw error;
  }
}

export interface TipsToCheck {
  readonly tipOids: readonly Oid[];
  /** Tips whose entire history is in the store. */
  readonly knownOids: ReadonlySet<Oid>;
  readonly signal?: AbortSignal | undefined;
}

/** Whether an object that the tips need is missing in the store. Reads it in a new process: others may have removed packs open. */
export async function lacksObjectsOf(store: GitStore, check: TipsToCheck): Promise<boolean> {
  try {
    await checkConnected(withoutCommitGraph(store), check);
    return false;
  } catch (error) {
    if (isForgeError(error, "invalid")) return true;
    throw error;
  }
}

/** Git reads commits from the commit-graph even if they are missing in the store. */
const withoutCommitGraph = (store: GitStore): GitStore => ({
  ...store,
  environment: async () => ({
    ...(await store.environment()),
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "core.commitGraph",
    GIT_CONFIG_VALUE_0: "false",
  }),
});
