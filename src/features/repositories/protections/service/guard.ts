import type { Actor } from "../../../../access/actor.ts";
import { atLeast } from "../../../../access/repository.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Reader } from "../../../../db/db.ts";
import { changedPaths, committedPaths } from "../../../../git/history/changed-paths.ts";
import { isAncestor, listCommitOids, mergeBase } from "../../../../git/history/log.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Oid } from "../../../../git/types.ts";
import type { RuleRefusal } from "../../refs/moves.ts";
import { type CheckedMove, checkMove, type MoveInputs, type Mover, mayMerge, mayPush, type Protections, type Purpose, questionsOf } from "../check-move.ts";
import { checkLocks, type Locks } from "../locks.ts";
import { type BranchRule, openTagRules, ruleForBranch } from "../rules.ts";
import { loadListed, loadRules } from "../store.ts";

/** Finds the first of some commits without a verified signature. */
export type FindUnverified = (store: GitStore, oids: readonly Oid[]) => Promise<Oid | undefined>;

/** The actor as seen by the rules of a repository. */
export function moverOf(actor: Actor, repository: Pick<RepositorySubject, "id" | "right">): Mover {
  if (actor.kind === "user") return { kind: "user", id: actor.id, isRepositoryAdmin: atLeast(repository.right.mode, "admin") };
  const grant = actor.kind === "deploy-key" ? actor.grants.get(repository.id) : undefined;
  if (grant === undefined) throw new Error("an actor that moves refs has a right on the repository");
  return { kind: "deploy-key", deployKeyId: grant.deployKeyId };
}

/** The rules and locked files of a repository, as one actor is subject to them. */
export interface LoadedProtections extends Protections {
  readonly locks: Locks;
}

async function loadProtections(db: Reader, repoId: number, mover: Mover): Promise<LoadedProtections> {
  const { branches, tags, locks } = await loadRules(db, repoId);
  const hasRules = branches.length + tags.length > 0;
  const listed = hasRules && mover.kind === "user" ? await loadListed(db, repoId, mover.id) : new Set<string>();
  return { branches, locks, tags: openTagRules(tags), isListed: (ruleId, list) => listed.has(`${ruleId} ${list}`) };
}

export interface GuardedMoves {
  readonly repoId: number;
  readonly mover: Mover;
  readonly purpose: Purpose;
  readonly moves: readonly CheckedMove[];
  /** By ref, from {@link collectProtectionInputs}. */
  readonly inputs: ReadonlyMap<string, MoveInputs>;
  /** Loaded before in the same transaction, for the same user. */
  readonly protections?: LoadedProtections | undefined;
}

/** Checks updates against the rules and locked files of a repository. Returns refusals by ref. Two statements, none with loaded rules. */
export async function checkRefMoves(db: Reader, { repoId, mover, purpose, moves, inputs, ...given }: GuardedMoves): Promise<ReadonlyMap<string, RuleRefusal>> {
  const protections = given.protections ?? (await loadProtections(db, repoId, mover));
  const refusals = new Map<string, RuleRefusal>();
  for (const move of moves) {
    const known = inputs.get(move.name) ?? {};
    const refusal = checkMove(protections, mover, purpose, move, known) ?? checkLocks(protections.locks, mover, purpose, move, known);
    if (refusal !== undefined) refusals.set(move.name, refusal);
  }
  return refusals;
}

export interface FactRequest {
  readonly repoId: number;
  readonly moves: readonly CheckedMove[];
  /** Loads commits that refs of the repository already reach; commits reachable from them are not new. Called if a rule needs them. */
  readonly knownOids: () => Promise<readonly Oid[]>;
  readonly findUnverified: FindUnverified;
}

/**
 * Loads the inputs that the rules need, before the transaction that checks them. Loads nothing if there are no rules and no locked files.
 * @param store reads the new objects; a quarantine's handle if they are in one
 */
export async function collectProtectionInputs(
  deps: { readonly db: Reader },
  store: GitStore,
  { repoId, moves, knownOids, findUnverified }: FactRequest,
): Promise<ReadonlyMap<string, MoveInputs>> {
  const { branches, locks } = await loadRules(deps.db, repoId);
  const inputs = new Map<string, MoveInputs>();
  if (branches.length === 0 && locks.size === 0) return inputs;
  for (const move of moves) {
    const { oldOid, newOid } = move;
    if (newOid === null) continue;
    const { force, paths, signatures } = questionsOf(branches, move);
    inputs.set(move.name, {
      ...(force && oldOid !== null && { isForced: !(await isAncestor(store, oldOid, newOid)) }),
      ...(paths && { changedPaths: await changedPaths(store, await startOf(store, move, knownOids), newOid) }),
      ...(locks.size > 0 && { committedPaths: await committedPaths(store, await newCommits(store, { ...move, oldOid: null }, knownOids)) }),
      ...(signatures && { unverifiedOid: (await findUnverified(store, await newCommits(store, move, knownOids))) ?? null }),
    });
  }
  return inputs;
}

/** The commit to compare a new branch with: where it diverged from known commits. */
async function startOf(store: GitStore, { oldOid, newOid }: CheckedMove, knownOids: FactRequest["knownOids"]): Promise<Oid | undefined> {
  if (oldOid !== null || newOid === null) return oldOid ?? undefined;
  const [first] = await knownOids();
  return first === undefined ? undefined : mergeBase(store, first, newOid);
}

/** Maximum number of commits of a push whose signatures are checked. */
const maxCommits = 100_000;

async function newCommits(store: GitStore, { oldOid, newOid }: CheckedMove, knownOids: FactRequest["knownOids"]): Promise<readonly Oid[]> {
  if (newOid === null) return [];
  return listCommitOids(store, { tipOids: [newOid], notOids: oldOid === null ? await knownOids() : [oldOid], limit: maxCommits });
}

/** A branch's rule, and the permissions of an actor under it. */
export interface BranchRight {
  readonly rule: BranchRule | undefined;
  readonly canPush: boolean;
  readonly canMerge: boolean;
}

export interface BranchRights {
  on(branch: string): BranchRight;
  /** For {@link checkRefMoves} in the same transaction. */
  readonly protections: LoadedProtections;
}

/** The rules of branches and the permissions of an actor. Two statements, one if there are no rules. */
export async function branchRights(db: Reader, actor: Actor, repository: Pick<RepositorySubject, "id" | "right">): Promise<BranchRights> {
  const canWrite = atLeast(repository.right.unit("repo.code"), "write");
  const mover: Mover = actor.kind === "user" ? { kind: "user", id: actor.id, isRepositoryAdmin: false } : { kind: "server" };
  const protections = await loadProtections(db, repository.id, mover);
  const on = (branch: string): BranchRight => {
    const rule = ruleForBranch(protections.branches, branch);
    if (rule === undefined || !canWrite) return { rule, canPush: canWrite, canMerge: canWrite };
    return { rule, canPush: mayPush(protections, rule, false), canMerge: mayMerge(protections, rule) };
  };
  return { on, protections };
}
