import { notFound } from "../../../../core/errors.ts";
import type { Tx } from "../../../../db/db.ts";
import { type RefsChanged, recordEvent } from "../../../../events/events.ts";
import { isValidBranchName } from "../../../../git/objects/ref-names.ts";
import type { WriteReceipt } from "../../../../git/objects/write.ts";
import type { MoveInputs, Mover, Purpose } from "../../protections/check-move.ts";
import { checkRefMoves, type LoadedProtections } from "../../protections/service/guard.ts";
import { branchPrefix, shortName } from "../../refs/model.ts";
import { maxRefs, type RefMove, type RefRefusal, type RefUpdate, refusalError } from "../../refs/moves.ts";
import { type MoveMode, type MoveResult, moveStoreRefs, setHead } from "../../refs/service/move.ts";
import { branchNameOf, findRef } from "../../refs/service/read.ts";
import { findRefsState, type RefsState, updateRefsState } from "../store/refs-state.ts";
import { enqueueDescribeContent } from "./content-job.ts";

export interface MoveRepositoryRefs {
  readonly repoId: number;
  /** The actor whose permissions the protection rules check. */
  readonly mover: Mover;
  /** `write` by default. */
  readonly purpose?: Purpose;
  /** The inputs from {@link collectProtectionInputs}; a rule that needs further ones rejects the update. */
  readonly inputs?: ReadonlyMap<string, MoveInputs>;
  /** The rules of the repository for this user, if the caller has loaded them in this transaction. */
  readonly protections?: LoadedProtections | undefined;
  /** The author of the event if the server moves the refs on behalf of a user. */
  readonly onBehalfOf?: number;
  /** How the change was made. */
  readonly via: RefsChanged["via"];
  readonly mode: MoveMode;
  readonly updates: readonly RefUpdate[];
  /** Returned by the store when it accepted the target objects. */
  readonly receipt?: WriteReceipt;
  readonly pushOptions?: readonly string[];
  /** The caller has stored the content of the default branch, so no analysis is needed. */
  readonly isContentKnown?: boolean;
}

export interface RepositoryMoves extends MoveResult {
  /** The repository had no branch before and has one now. */
  readonly isFirstPush: boolean;
  /** The resulting default branch, which the first push to an empty repository can choose. */
  readonly defaultBranch: string;
}

/** Maximum number of refs listed in an event. */
const listedUpdates = 200;

/**
 * Moves refs of a repository's code, within the caller's transaction. All changes of code use this function. It also writes the consequences
 * (counters, emptiness, the default branch, the event, jobs), in a constant number of statements.
 * @throws ForgeError as `moveStoreRefs` in mode `all`; `not_found` if the repository was deleted concurrently
 */
export async function moveRepositoryRefs(tx: Tx, given: MoveRepositoryRefs): Promise<RepositoryMoves> {
  const { repoId, mover, via, pushOptions } = given;
  const made = given.updates.filter(({ oldOid, newOid }) => oldOid === null && newOid !== null);
  const growth = made.length - given.updates.filter(({ newOid }) => newOid === null).length;
  const before = await findRefsState(tx, repoId, growth <= 0 ? undefined : Math.max(0, maxRefs - growth));
  if (before === undefined) throw notFound();
  const tooMany = before.hasMoreRefs ? made.map((update): RefRefusal => ({ update, reason: "too_many" })) : [];
  const forbidden = [...tooMany, ...(before.hasProtections ? await checkRules(tx, given) : [])];
  const [first] = forbidden;
  if (first !== undefined && given.mode === "all") throw refusalError(first);
  const refusedUpdates = new Set(forbidden.map(({ update }) => update));
  const updates = given.updates.filter((update) => !refusedUpdates.has(update));
  const moves = await moveStoreRefs(tx, before.storeId, updates, given.mode, given.receipt);
  const result = { moved: moves.moved, refused: [...forbidden, ...moves.refused] };
  if (result.moved.length === 0) return { ...result, isFirstPush: false, defaultBranch: before.defaultBranch };

  const after = stateAfter(before, result.moved);
  await updateRefsState(tx, repoId, after);
  if (after.defaultBranch !== before.defaultBranch) await setHead(tx, before.storeId, branchPrefix + after.defaultBranch);
  const total = result.moved.length;
  const event: RefsChanged = {
    storeId: before.storeId,
    repoId,
    updates: result.moved.slice(0, listedUpdates),
    total,
    via,
    ...(pushOptions && { pushOptions }),
    ...(before.isMirrored && { isMirrored: true }),
    ...(before.hasPulls && { touchesPulls: true }),
    ...(before.hasWorkflows && { hasWorkflows: true }),
    ...(before.requiresWorkflows && { requiresWorkflows: true }),
    ...(given.receipt === undefined && { bringsNothing: true }),
    ...(mover.kind === "deploy-key" && { deployKeyId: mover.deployKeyId }),
  };
  const actorId = mover.kind === "user" ? mover.id : (given.onBehalfOf ?? null);
  await recordEvent(tx, "refs.changed", event, { repoId, actorId });
  const movesDefault = result.moved.some(({ name }) => name === branchPrefix + after.defaultBranch);
  if (movesDefault && given.isContentKnown !== true) await enqueueDescribeContent(tx, repoId);
  return { ...result, isFirstPush: before.isEmpty && !after.isEmpty, defaultBranch: after.defaultBranch };
}

/** Checks each update on its own against the repository's rules. */
async function checkRules(tx: Tx, { repoId, mover, purpose = "write", updates, inputs = new Map(), protections }: MoveRepositoryRefs): Promise<RefRefusal[]> {
  const refusals = await checkRefMoves(tx, { repoId, mover, purpose, moves: updates, inputs, protections });
  return updates.flatMap((update) => {
    const rule = refusals.get(update.name);
    return rule === undefined ? [] : [{ update, reason: "protected", rule }];
  });
}

function stateAfter(before: RefsState, moved: readonly RefMove[]): Omit<RefsState, "storeId"> {
  const branches = moved.filter(({ name }) => name.startsWith(branchPrefix));
  const made = branches.filter(({ oldOid }) => oldOid === null).map(({ name }) => shortName(name));
  const deleted = branches.filter(({ newOid }) => newOid === null).length;
  const branchesCount = before.branchesCount + made.length - deleted;
  const defaultBranch = before.isEmpty ? firstDefaultBranch(before.defaultBranch, made) : before.defaultBranch;
  return { defaultBranch, branchesCount, isEmpty: branchesCount === 0 };
}

/** Chooses the default branch among the first branches: the intended one, a customary name, or the first. */
const firstDefaultBranch = (meant: string, made: readonly string[]): string =>
  [meant, "main", "master"].find((name) => made.includes(name)) ?? made[0] ?? meant;

/**
 * Changes the default branch, within the caller's transaction.
 * @returns false, without a change, if the repository has branches but not this one
 * @throws ForgeError `not_found` if the repository was deleted concurrently
 */
export async function setDefaultBranch(tx: Tx, repoId: number, given: string): Promise<boolean> {
  const state = await findRefsState(tx, repoId);
  if (state === undefined) throw notFound();
  const branch = await branchNameOf(tx, state.storeId, given);
  if (!isValidBranchName(branch)) return false;
  if (state.defaultBranch === branch) return true;
  if (!state.isEmpty && (await findRef(tx, state.storeId, branchPrefix + branch)) === undefined) return false;
  await updateRefsState(tx, repoId, { ...state, defaultBranch: branch });
  await setHead(tx, state.storeId, branchPrefix + branch);
  if (!state.isEmpty) await enqueueDescribeContent(tx, repoId);
  return true;
}
