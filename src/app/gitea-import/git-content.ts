import { existsSync } from "node:fs";
import { join } from "node:path";
import { isForgeError } from "../../core/errors.ts";
import type { Db, Tx } from "../../db/db.ts";
import { branchPrefix, shortName } from "../../features/repositories/refs/model.ts";
import type { RefUpdate } from "../../features/repositories/refs/moves.ts";
import { moveStoreRefs } from "../../features/repositories/refs/service/move.ts";
import { createStore } from "../../features/repositories/refs/service/stores.ts";
import { describeTips } from "../../features/repositories/refs/service/tips.ts";
import { isPushableRefName } from "../../git/objects/ref-names.ts";
import type { WriteReceipt } from "../../git/objects/write.ts";
import { importForeign, readForeignRefs } from "../../git/send/foreign-repository.ts";
import type { GitStores } from "../../git/stores.ts";
import type { Oid } from "../../git/types.ts";
import type { Report } from "./report.ts";

export interface GitTarget {
  readonly db: Db;
  readonly git: GitStores;
}

/** A bare repository whose objects are in a store. Its refs are moved in the transaction of the rows. */
export interface BroughtStore {
  readonly storeId: number;
  readonly updates: readonly RefUpdate[];
  readonly receipt: WriteReceipt | undefined;
  /** All refs that are imported, also in a dry run. */
  readonly refs: ReadonlyMap<string, Oid>;
  readonly format: "sha1" | "sha256";
  readonly branches: readonly string[];
  readonly tags: ReadonlySet<string>;
  readonly defaultBranch: string;
}

export interface ForeignStore {
  readonly path: string;
  readonly shownAs: string;
  readonly format: "sha1" | "sha256";
  readonly defaultBranch: string;
  /** Heads of pull requests are refs of the repository. */
  readonly withPulls: boolean;
}

export const hasBareRepository = (path: string): boolean => existsSync(join(path, "objects"));

const tagPrefix = "refs/tags/";
const pullHead = /^refs\/pull\/\d+\/head$/;

/** Whether Hearth has such a ref: Gitea makes other ones for pull requests. */
const isKept = (name: string): boolean => (name.startsWith("refs/pull/") ? pullHead.test(name) : isPushableRefName(name));

/**
 * Copies the objects of a repository into a new store. Each object is checked.
 * @param target undefined for a dry run, which reads the refs only
 */
export async function bringStore(target: GitTarget | undefined, given: ForeignStore, report: Report): Promise<BroughtStore> {
  const { format, defaultBranch } = given;
  const nothing = { updates: [], receipt: undefined, refs: new Map<string, Oid>(), format, branches: [], tags: new Set<string>(), defaultBranch };
  if (!hasBareRepository(given.path)) {
    report.without("repositories and wikis whose folder is missing: they are empty", given.shownAs);
    return { storeId: await newStore(target, given), ...nothing };
  }
  const found = await readForeignRefs(given, { withPulls: given.withPulls }).catch(reportBroken(given, report));
  const refs = found === undefined ? [] : [...found.refs].filter(([name]) => isKept(name));
  for (const name of found?.refs.keys() ?? [])
    if (!isKept(name) && !name.startsWith("refs/pull/")) report.without("refs that Hearth refuses", `${name} of ${given.shownAs}`);
  const branches = refs.flatMap(([name]) => (name.startsWith(branchPrefix) ? [shortName(name)] : [])).sort();
  const chosen = branches.includes(defaultBranch) ? defaultBranch : (branches[0] ?? defaultBranch);
  const storeId = await newStore(target, { format: refs.length === 0 ? format : (found?.format ?? format), defaultBranch: chosen });
  const tags = new Set(refs.flatMap(([name]) => (name.startsWith(tagPrefix) ? [name.slice(tagPrefix.length)] : [])));
  const facts = { storeId, refs: new Map(refs), format: found?.format ?? format, branches, tags, defaultBranch: chosen };
  if (target === undefined || refs.length === 0) return { ...facts, updates: [], receipt: undefined };
  const brought = await bringObjects(target, { ...given, storeId, refs, format: found?.format ?? format }).catch(reportBroken(given, report));
  return brought === undefined ? { storeId, ...nothing } : { ...facts, ...brought };
}

async function newStore(target: GitTarget | undefined, { format, defaultBranch }: Pick<ForeignStore, "format" | "defaultBranch">): Promise<number> {
  return target === undefined ? 0 : target.db.tx((tx) => createStore(tx, { format, defaultBranch }));
}

/** The import goes on without the content of a broken repository. */
const reportBroken =
  ({ shownAs }: ForeignStore, report: Report) =>
  (error: unknown): undefined => {
    if (!isForgeError(error, "invalid") && !isForgeError(error, "not_found")) throw error;
    report.without("repositories and wikis that git cannot read: they are empty", `${shownAs}: ${error.message}`);
  };

interface Bringing extends Pick<ForeignStore, "path" | "format"> {
  readonly storeId: number;
  readonly refs: readonly (readonly [string, Oid])[];
}

async function bringObjects({ git }: GitTarget, { path, format, storeId, refs }: Bringing): Promise<Pick<BroughtStore, "updates" | "receipt">> {
  const store = git.store(storeId, format, 0);
  const receipt = await importForeign({ path }, store, [...new Set(refs.map(([, oid]) => oid))]);
  const updates = await describeTips(
    store,
    refs.map(([name, newOid]) => ({ name, oldOid: null, newOid })),
  );
  return { updates, receipt };
}

/** Rules and webhooks do not apply to refs that are imported, so `moveRepositoryRefs` is not used. */
export async function moveBroughtRefs(tx: Tx, { storeId, updates, receipt }: BroughtStore, more: readonly RefUpdate[] = []): Promise<void> {
  if (updates.length > 0) await moveStoreRefs(tx, storeId, updates, "all", receipt);
  if (more.length > 0) await moveStoreRefs(tx, storeId, more, "all");
}
