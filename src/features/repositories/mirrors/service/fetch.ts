import type { Config } from "../../../../config/config.ts";
import { isForgeError } from "../../../../core/errors.ts";
import type { Reader } from "../../../../db/db.ts";
import { readInfo } from "../../../../git/objects/objects.ts";
import { isPushableRefName, isValidBranchName, isValidTagName } from "../../../../git/objects/ref-names.ts";
import type { WriteReceipt } from "../../../../git/objects/write.ts";
import { createQuarantine } from "../../../../git/receive/pack.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Oid } from "../../../../git/types.ts";
import type { FetchRemote, RemoteRef } from "../../../../outgoing/git-fetch.ts";
import { branchPrefix, hiddenPrefix, type RefView, tagPrefix } from "../../refs/model.ts";
import { deletionOf, type RefUpdate } from "../../refs/moves.ts";
import { allRefs } from "../../refs/service/read.ts";
import { describeTip } from "../../refs/service/tips.ts";
import { noRoom, requireRoom } from "../../repos/service/sizes.ts";

export interface FetchDeps {
  readonly db: Reader;
  readonly config: Pick<Config, "git" | "limits">;
}

/** The result of a fetch: durable objects and the resulting ref updates. No ref points to the objects yet. */
export interface Fetched {
  readonly updates: readonly RefUpdate[];
  readonly receipt: WriteReceipt;
  /** The refs of the remote that this server accepts. */
  readonly refs: readonly RemoteRef[];
}

export interface FetchProgress {
  /** The owner whose quota applies. */
  readonly ownerId: number;
  readonly signal: AbortSignal;
  /** Unreferenced objects come from an earlier complete fetch of the same remote and need not be fetched again. */
  readonly hasEarlier?: boolean;
}

/**
 * Fetches everything that a remote has and a store lacks, through a quarantine like a push: each object is checked, connectivity verified, then made durable.
 * @throws OutgoingError, RemoteError; ForgeError for a rejected pack, `too_large` if the owner's quota is exceeded
 */
export async function fetchAll(
  deps: FetchDeps,
  store: GitStore,
  remote: FetchRemote,
  { ownerId, signal, hasEarlier = false }: FetchProgress,
): Promise<Fetched> {
  const present = (await allRefs(deps.db, store.id)).filter(({ name }) => !name.startsWith(hiddenPrefix));
  const refs = remote.advertised.refs.filter(({ name }) => isKeepable(name));
  const known = new Set(present.map(({ oid }) => oid));
  if (hasEarlier) for (const { oid } of refs) if ((await readInfo(store, oid)) !== undefined) known.add(oid);
  const wantOids = [...new Set(refs.map(({ oid }) => oid))].filter((oid) => !known.has(oid));
  const receipt = wantOids.length === 0 ? { sizeBytes: 0 } : await bring(deps, store, remote, { wantOids, known, ownerId, signal });
  return { refs, receipt, updates: await updatesBetween(store, present, refs) };
}

/** Ref names that cannot be pushed are skipped. */
function isKeepable(name: string): boolean {
  if (!isPushableRefName(name)) return false;
  if (name.startsWith(branchPrefix)) return isValidBranchName(name.slice(branchPrefix.length));
  return !name.startsWith(tagPrefix) || isValidTagName(name.slice(tagPrefix.length));
}

interface Bringing extends Pick<FetchProgress, "ownerId" | "signal"> {
  readonly wantOids: readonly Oid[];
  readonly known: ReadonlySet<Oid>;
}

async function bring(deps: FetchDeps, store: GitStore, remote: FetchRemote, { wantOids, known, ownerId, signal }: Bringing): Promise<WriteReceipt> {
  const room = await requireRoom(deps, ownerId, 1);
  const quarantine = await createQuarantine(store);
  try {
    const pack = remote.fetchPack({ wantOids, haveOids: [...known] });
    const { sizeBytes } = await quarantine.receivePack(pack, { maxBytes: Math.min(deps.config.git.max_push_bytes, room), signal });
    await quarantine.checkConnected({ tipOids: wantOids, knownOids: known, signal });
    await quarantine.promote();
    return { sizeBytes };
  } catch (error) {
    const isBeyondRoom = room <= deps.config.git.max_push_bytes && isForgeError(error, "too_large") && error.options.meta?.maxBytes === room;
    throw isBeyondRoom ? noRoom(deps) : error;
  } finally {
    await quarantine.discard();
  }
}

/** The ref updates that make the refs equal to the remote's. Invalid branch targets are skipped. */
async function updatesBetween(store: GitStore, present: readonly RefView[], refs: readonly RemoteRef[]): Promise<RefUpdate[]> {
  const before = new Map(present.map((ref) => [ref.name, ref.oid]));
  const after = new Set(refs.map(({ name }) => name));
  const changed = refs.filter(({ name, oid }) => before.get(name) !== oid);
  const described = await Promise.all(
    changed.map(async ({ name, oid }): Promise<RefUpdate | undefined> => {
      const tip = await describeTip(store, oid);
      const fits = tip !== undefined && (tip.type === "commit" || !name.startsWith(branchPrefix));
      return fits ? { name, oldOid: before.get(name) ?? null, newOid: oid, ...tip } : undefined;
    }),
  );
  const deletions = present.filter(({ name }) => !after.has(name)).map(deletionOf);
  return [...deletions, ...described.filter((update) => update !== undefined)];
}
