import { notFound } from "../../../../core/errors.ts";
import type { Tx } from "../../../../db/db.ts";
import { type RefsChanged, recordEvent } from "../../../../events/events.ts";
import { isValidBranchName } from "../../../../git/objects/ref-names.ts";
import type { WriteReceipt } from "../../../../git/objects/write.ts";
import type { MoveInputs, Mover, Purpose } from "../../protections/check-move.ts";
import { checkRefMoves } from "../../protections/service/guard.ts";
import { branchPrefix, shortName } from "../../refs/model.ts";
import { maxRefs, type RefMove, type RefRefusal, type RefUpdate, refusalError } from "../../refs/moves.ts";
import { type MoveMode, type MoveResult, moveRefs, setHead } from "../../refs/service/move.ts";
import { branchNameOf, findRef } from "../../refs/service/read.ts";
import { findRefsState, type RefsState, updateRefsState } from "../store/refs-state.ts";
import { enqueueDescribeContent } from "./content-job.ts";

export interface MoveRepositoryRefs {
  readonly repoId: number;
  /** Who moves them: the rules of the repository are about him. */
  readonly mover: Mover;
  /** `write` where nothing else is said. */
  readonly purpose?: Purpose;
  /** What {@link collectProtectionInputs} has found about the updates; a rule that asks for more than that refuses. */
  readonly facts?: ReadonlyMap<string, MoveInputs>;
  /** The event's author where that is nobody who moves refs himself: the server does it for him. */
  readonly onBehalfOf?: number;
  /** The door that the change came through. */
  readonly via: RefsChanged["via"];
  readonly mode: MoveMode;
  readonly updates: readonly RefUpdate[];
  /** What the store said when it took the objects that the updates point to. */
  readonly receipt?: WriteReceipt;
  readonly pushOptions?: readonly string[];
  /** The caller has noted what the default branch holds: nobody needs to look. */
  readonly isContentKnown?: boolean;
}

export interface RepositoryMoves extends MoveResult {
  /** The repository had no branch before and has one now. */
  readonly isFirstPush: boolean;
  /** The default branch afterwards: the first push to an empty repository may have chosen it. */
  readonly defaultBranch: string;
}

/** An event tells of at most so many refs. */
const listedUpdates = 200;

/**
 * Moves refs of a repository's code: the one way that every door takes, inside its transaction. What follows from the move (counts,
 * emptiness, the default branch, the event, later work) is written with it, in a constant number of statements.
 * @throws ForgeError as `moveRefs` in mode `all`; `not_found` when the repository has been deleted meanwhile
 */
export async function moveRepositoryRefs(tx: Tx, given: MoveRepositoryRefs): Promise<RepositoryMoves> {
  const { repoId, mover, via, pushOptions } = given;
  const made = given.updates.filter(({ oldOid, newOid }) => oldOid === null && newOid !== null);
  const growth = made.length - given.updates.filter(({ newOid }) => newOid === null).length;
  const before = await findRefsState(tx, repoId, growth <= 0 ? undefined : Math.max(0, maxRefs - growth));
  if (before === undefined) throw notFound();
  const tooMany = before.hasMoreRefs ? made.map((update): RefRefusal => ({ update, reason: "too_many" })) : [];
  const forbidden = [...tooMany, ...(before.hasProtections ? await judge(tx, given) : [])];
  const [first] = forbidden;
  if (first !== undefined && given.mode === "all") throw refusalError(first);
  const refusedUpdates = new Set(forbidden.map(({ update }) => update));
  const updates = given.updates.filter((update) => !refusedUpdates.has(update));
  const moves = await moveRefs(tx, before.storeId, updates, given.mode, given.receipt);
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
    ...(given.receipt === undefined && { bringsNothing: true }),
    ...(mover.kind === "deploy-key" && { deployKeyId: mover.deployKeyId }),
  };
  const actorId = mover.kind === "user" ? mover.id : (given.onBehalfOf ?? null);
  await recordEvent(tx, "refs.changed", event, { repoId, actorId });
  const movesDefault = result.moved.some(({ name }) => name === branchPrefix + after.defaultBranch);
  if (movesDefault && given.isContentKnown !== true) await enqueueDescribeContent(tx, repoId);
  return { ...result, isFirstPush: before.isEmpty && !after.isEmpty, defaultBranch: after.defaultBranch };
}

/** What the rules of the repository refuse, each update by itself. */
async function judge(tx: Tx, { repoId, mover, purpose = "write", updates, facts = new Map() }: MoveRepositoryRefs): Promise<RefRefusal[]> {
  const refusals = await checkRefMoves(tx, { repoId, mover, purpose, moves: updates, facts });
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

/** Which of the first branches of a repository becomes its default: the one that was meant to, a customary one, the first. */
const firstDefaultBranch = (meant: string, made: readonly string[]): string =>
  [meant, "main", "master"].find((name) => made.includes(name)) ?? made[0] ?? meant;

/**
 * Makes another branch the default one, inside the caller's transaction.
 * @returns false, and changes nothing, when a repository that has branches has none of this name
 * @throws ForgeError `not_found` when the repository has been deleted meanwhile
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
