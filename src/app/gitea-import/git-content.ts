import { existsSync } from "node:fs";
import { join } from "node:path";
import { isForgeError } from "../../core/errors.ts";
import type { Db, Tx } from "../../db/db.ts";
import { branchPrefix, type RefView, shortName } from "../../features/repositories/refs/model.ts";
import { deletionOf, type RefUpdate } from "../../features/repositories/refs/moves.ts";
import { moveStoreRefs, setHead } from "../../features/repositories/refs/service/move.ts";
import { allRefs } from "../../features/repositories/refs/service/read.ts";
import { createStore, getStore } from "../../features/repositories/refs/service/stores.ts";
import { describeTips } from "../../features/repositories/refs/service/tips.ts";
import { readInfo } from "../../git/objects/objects.ts";
import { isPushableRefName } from "../../git/objects/ref-names.ts";
import type { WriteReceipt } from "../../git/objects/write.ts";
import { importForeign, readForeignRefs } from "../../git/send/foreign-repository.ts";
import type { GitStores } from "../../git/stores.ts";
import type { ObjectFormat, Oid } from "../../git/types.ts";
import type { Report } from "./report.ts";

export interface GitTarget {
  readonly db: Db;
  readonly git: GitStores;
  /** Stores that an earlier import has filled; undefined in the first one. */
  readonly earlier?: EarlierStores | undefined;
}

export interface EarlierStores {
  /** @returns undefined for a repository that has none, or one of another format */
  find(repoId: number, kind: StoreKind, format: ObjectFormat): Promise<number | undefined>;
  /** To be called in the transaction that creates a store, so that an interrupted import finds it. */
  keep(tx: Tx, repoId: number, kind: StoreKind, storeId: number): Promise<void>;
}

export type StoreKind = "code" | "wiki";

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
  /** The refs of a store that an earlier import has filled. */
  readonly former: ReadonlyMap<string, RefView>;
}

export interface ForeignStore {
  readonly repoId: number;
  readonly kind: StoreKind;
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
  const nothing = {
    updates: [],
    receipt: undefined,
    refs: new Map<string, Oid>(),
    format,
    branches: [],
    tags: new Set<string>(),
    defaultBranch,
    former: new Map<string, RefView>(),
  };
  if (!hasBareRepository(given.path)) {
    report.without("repositories and wikis whose folder is missing: they are empty", given.shownAs);
    return { ...nothing, ...(await storeOf(target, given)) };
  }
  const found = await readForeignRefs(given, { withPulls: given.withPulls }).catch(reportBroken(given, report));
  const refs = found === undefined ? [] : [...found.refs].filter(([name]) => isKept(name));
  for (const name of found?.refs.keys() ?? [])
    if (!isKept(name) && !name.startsWith("refs/pull/")) report.without("refs that Hearth refuses", `${name} of ${given.shownAs}`);
  const branches = refs.flatMap(([name]) => (name.startsWith(branchPrefix) ? [shortName(name)] : [])).sort();
  const chosen = branches.includes(defaultBranch) ? defaultBranch : (branches[0] ?? defaultBranch);
  const own = await storeOf(target, { ...given, format: refs.length === 0 ? format : (found?.format ?? format), defaultBranch: chosen });
  const tags = new Set(refs.flatMap(([name]) => (name.startsWith(tagPrefix) ? [name.slice(tagPrefix.length)] : [])));
  const facts = { ...own, refs: new Map(refs), format: found?.format ?? format, branches, tags, defaultBranch: chosen };
  if (target === undefined || refs.length === 0) return { ...facts, updates: [], receipt: undefined };
  const brought = await bringObjects(target, { ...given, ...own, refs, format: found?.format ?? format }).catch(reportBroken(given, report));
  return brought === undefined ? { ...nothing, ...own } : { ...facts, ...brought };
}

/** The store of an earlier import with its refs, or a new one. */
async function storeOf(target: GitTarget | undefined, given: ForeignStore): Promise<Pick<BroughtStore, "storeId" | "former">> {
  if (target === undefined) return { storeId: 0, former: new Map<string, RefView>() };
  const { repoId, kind, format, defaultBranch } = given;
  const known = await target.earlier?.find(repoId, kind, format);
  if (known !== undefined) return { storeId: known, former: new Map((await allRefs(target.db, known)).map((ref) => [ref.name, ref])) };
  const storeId = await target.db.tx(async (tx) => {
    const created = await createStore(tx, { format, defaultBranch });
    await target.earlier?.keep(tx, repoId, kind, created);
    return created;
  });
  return { storeId, former: new Map<string, RefView>() };
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
  readonly former: ReadonlyMap<string, RefView>;
  readonly refs: readonly (readonly [string, Oid])[];
}

async function bringObjects({ git }: GitTarget, { path, format, storeId, former, refs }: Bringing): Promise<Pick<BroughtStore, "updates" | "receipt">> {
  const store = git.store(storeId, format, 0);
  const formerOids = new Set([...former.values()].map(({ oid }) => oid));
  const tips = [...new Set(refs.map(([, oid]) => oid))];
  const added = tips.filter((oid) => !formerOids.has(oid));
  // An import that was interrupted may have brought them.
  const present = former.size === 0 ? [] : await Promise.all(added.map(async (oid) => ((await readInfo(store, oid)) === undefined ? [] : [oid])));
  const known = new Set(present.flat());
  const receipt = await importForeign(
    { path },
    store,
    added.filter((oid) => !known.has(oid)),
    { knownOids: tips.filter((oid) => formerOids.has(oid)) },
  );
  const moved = refs.filter(([name, oid]) => former.get(name)?.oid !== oid);
  const updates = await describeTips(
    store,
    moved.map(([name, newOid]) => ({ name, oldOid: former.get(name)?.oid ?? null, newOid })),
  );
  return { updates, receipt };
}

/** Moves that make the refs of a store those of Gitea. */
export interface RefMoves {
  readonly storeId: number;
  readonly updates: readonly RefUpdate[];
  readonly receipt: WriteReceipt | undefined;
  /** The new value of HEAD for a store that has refs; new stores have it already. */
  readonly headRef: string | undefined;
}

/** @param more moves after those to the refs of Gitea */
export function planRefMoves(brought: BroughtStore, more: readonly RefUpdate[] = []): RefMoves {
  const { storeId, former, refs, receipt } = brought;
  const last = new Map([...brought.updates, ...more].map((update) => [update.name, { ...update, oldOid: former.get(update.name)?.oid ?? null }]));
  const updates = [...last.values()].filter(({ oldOid, newOid }) => oldOid !== newOid);
  const gone = [...former.values()].filter(({ name }) => !refs.has(name) && !last.has(name)).map(deletionOf);
  return { storeId, updates: [...gone, ...updates], receipt, headRef: former.size > 0 ? branchPrefix + brought.defaultBranch : undefined };
}

/** Rules and webhooks do not apply to refs that are imported, so `moveRepositoryRefs` is not used. */
export async function moveBroughtRefs(tx: Tx, { storeId, updates, receipt, headRef }: RefMoves): Promise<void> {
  if (updates.length > 0) await moveStoreRefs(tx, storeId, updates, "all", receipt);
  if (headRef !== undefined && (await getStore(tx, storeId))?.headRef !== headRef) await setHead(tx, storeId, headRef);
}
