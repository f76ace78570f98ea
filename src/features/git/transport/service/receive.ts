import { setImmediate } from "node:timers/promises";
import type { DeployKeyActor, UserActor } from "../../../../access/actor.ts";
import type { Config } from "../../../../config/config.ts";
import { type ForgeError, isForgeError } from "../../../../core/errors.ts";
import { mapInPieces } from "../../../../core/turns.ts";
import { createQuarantine, type Quarantine } from "../../../../git/receive/pack.ts";
import { isPackRefused } from "../../../../git/receive/pack-problems.ts";
import type { Oid } from "../../../../git/types.ts";
import { findUnverified } from "../../../accounts/keys/service/unverified.ts";
import type { PullDeps } from "../../../collaboration/pulls/service/deps.ts";
import { type ContainedPull, findContained } from "../../../collaboration/pulls/service/merge/contained.ts";
import type { MoveInputs } from "../../../repositories/protections/check-move.ts";
import { collectProtectionInputs } from "../../../repositories/protections/service/guard.ts";
import { branchKey } from "../../../repositories/refs/model.ts";
import type { RefRefusal, RefUpdate } from "../../../repositories/refs/moves.ts";
import { checkMoves } from "../../../repositories/refs/service/move.ts";
import { refTargets, refTips } from "../../../repositories/refs/service/read.ts";
import { describeTip, type TipDetails } from "../../../repositories/refs/service/tips.ts";
import { requireRoom } from "../../../repositories/repos/service/sizes.ts";
import { type GitTarget, packsVersionOf } from "../git-target.ts";
import { proposalHints, pullHints, takeProposal } from "./proposals.ts";
import { movePushedRefs, openPushedStore, readPushedPart } from "./push-moves.ts";
import { checkCommands, isProposal, type Refused } from "./push-policy.ts";
import type { PushOutcome } from "./push-report.ts";
import type { PushCommand, PushRequest } from "./push-request.ts";
import { decideVerdicts, isShallowFault, type PushFindings, type PushVerdicts } from "./push-verdicts.ts";

export interface ReceiveDeps extends PullDeps {
  readonly config: Config;
}

export interface Push {
  readonly actor: UserActor | DeployKeyActor;
  readonly target: GitTarget;
  readonly request: PushRequest;
  readonly signal: AbortSignal;
}

/**
 * Receives a push: objects into a quarantine, checks, objects into the store, then one transaction that moves the refs. A failure
 * before the transaction leaves the repository unchanged. Each step adds its findings; the verdicts follow from all of them.
 */
export async function receivePush(deps: ReceiveDeps, push: Push): Promise<PushOutcome> {
  const { target, request } = push;
  const declined = await checkCommands(await readPushedPart(deps, push.actor, target), request.commands);
  const allowed = await decide(request, { declined });
  if (allowed.live.length === 0) return outcomeOf(request, { declined });
  const storeId = await openPushedStore(deps, target);
  const impossible = await findImpossible(deps, storeId, allowed.moves);
  const checked: PushFindings = { declined, impossible };
  const possible = await decide(request, checked);
  if (possible.live.length === 0) return outcomeOf(request, checked);
  if (allowed.live.every((command) => command.newOid === null))
    return commitPush(deps, push, checked, { storeId, rules: new Map(), sizeBytes: 0, contained: [] });

  const quarantine = await createQuarantine(deps.git.store(storeId, target.repository.objectFormat, packsVersionOf(target)));
  try {
    const { sizeBytes, ...pack } = await receivePack(deps, push, quarantine, possible.live);
    const received: PushFindings = { ...checked, ...pack };
    if (pack.packError !== undefined) return outcomeOf(request, received);
    const described: PushFindings = { ...received, tips: await readTips(quarantine, (await decide(request, received)).live) };
    const sound = await decide(request, described);
    if (sound.live.length === 0) return outcomeOf(request, described);
    const rules = target.part === "wiki" ? new Map() : await loadRuleInputs(deps, push, quarantine, sound.live);
    const contained = target.part === "code" ? await findContained(deps, target.repository, quarantine.store, sound.moves) : [];
    return await afterOthers(deps, storeId, sound.moves, async () => {
      // Another push may have been faster. Its loser leaves no objects in the store.
      const recent: PushFindings = { ...described, impossible: [...impossible, ...(await findImpossible(deps, storeId, sound.moves))] };
      const accepted = await decide(request, recent);
      if (accepted.live.length === 0) return outcomeOf(request, recent);
      await quarantine.promote();
      const proposed = await takeProposals(deps, push, accepted.live);
      return commitPush(deps, push, { ...recent, proposed }, { storeId, rules, sizeBytes, contained });
    });
  } finally {
    await quarantine.discard();
  }
}

/** Pushes of more refs do not wait for others: they rarely move the same ones. */
const maxQueuedRefs = 8;

/**
 * Waits for the pushes and edits of the same refs that are being committed. Otherwise several pushes to one branch would add their objects to the
 * store before the first of them moves it.
 */
function afterOthers<T>({ branchQueue }: ReceiveDeps, storeId: number, moves: readonly PushCommand[], work: () => Promise<T>): Promise<T> {
  if (moves.length > maxQueuedRefs) return work();
  // In one order for all pushes, so that no two of them wait for each other.
  const names = [...new Set(moves.map(({ name }) => name))].sort();
  const queued = names.reduceRight<() => Promise<T>>((next, name) => () => branchQueue.run(branchKey(storeId, name), next), work);
  return queued();
}

/** Above this number of commands, each decision is made in a turn of the event loop of its own: it looks at all of them. */
const decidedAtOnce = 1_000;

async function decide(request: PushRequest, findings: PushFindings): Promise<PushVerdicts> {
  if (request.commands.length > decidedAtOnce) await setImmediate();
  return decideVerdicts(request, findings);
}

/**
 * Finds moves that cannot succeed with the present refs, before the pack is received: most often another push has moved the ref. The
 * transaction checks all of them again.
 */
async function findImpossible(deps: ReceiveDeps, storeId: number, moves: readonly PushCommand[]): Promise<readonly RefRefusal[]> {
  const updates = moves.map(({ name, oldOid, newOid }): RefUpdate => ({ name, oldOid, newOid, type: null, peeledOid: "", tipMs: 0 }));
  return (await checkMoves(deps.db, storeId, updates)).refusals;
}

const loadRuleInputs = async (
  deps: ReceiveDeps,
  { target }: Push,
  { store }: Quarantine,
  commands: readonly PushCommand[],
): Promise<ReadonlyMap<string, MoveInputs>> =>
  collectProtectionInputs(deps, store, {
    repoId: target.repository.id,
    moves: commands,
    knownOids: async () => [...(await refTargets(deps.db, store))],
    findUnverified: (quarantined, oids) => findUnverified(deps, quarantined, oids),
  });

async function takeProposals(
  deps: ReceiveDeps,
  { actor, target, request }: Push,
  commands: readonly PushCommand[],
): Promise<ReadonlyMap<PushCommand, string | Refused>> {
  const proposed = new Map<PushCommand, string | Refused>();
  if (actor.kind !== "user") return proposed;
  for (const command of commands.filter(isProposal)) proposed.set(command, await takeProposal(deps, actor, target.repository, command, request.options));
  return proposed;
}

/** A received pack, or the error that refuses all commands. */
interface PackResult extends Pick<PushFindings, "packError" | "incomplete"> {
  readonly sizeBytes: number;
}

async function receivePack(deps: ReceiveDeps, push: Push, quarantine: Quarantine, commands: readonly PushCommand[]): Promise<PackResult> {
  const { request, target, signal } = push;
  try {
    const { sizeBytes } = await quarantine.receivePack(request.pack, { maxBytes: deps.config.git.max_push_bytes, signal });
    await requireRoom(deps, target.repository.ownerId, sizeBytes);
    return { sizeBytes, incomplete: await findIncomplete(deps, quarantine, commands, signal) };
  } catch (error) {
    if (!isForgeError(error) || error.code === "unavailable") throw error;
    deps.log.info({ repoId: target.repository.id, meta: error.options.meta }, "a push was refused because of its pack");
    return { sizeBytes: 0, packError: error };
  }
}

/** Above this number of failing refs, all are refused: finding the incomplete ones takes a walk for each. */
const maxChecked = 16;

/** Checks that all objects reachable from the new tips exist. @returns the tips that lack some */
async function findIncomplete(
  deps: ReceiveDeps,
  quarantine: Quarantine,
  commands: readonly PushCommand[],
  signal: AbortSignal,
): Promise<PushFindings["incomplete"]> {
  const knownOids = refTips(deps.db, quarantine.store);
  const newOids = commands.flatMap(({ newOid }) => newOid ?? []);
  const present = await knownOids.among(newOids);
  const oids = [...new Set(newOids)].filter((oid) => !present.has(oid));
  const check = (tipOids: readonly Oid[]) => quarantine.checkConnected({ tipOids, knownOids, signal });
  if (oids.length === 0) return undefined;
  try {
    await check(oids);
    return undefined;
  } catch (error) {
    if (!isForgeError(error, "invalid") || isPackRefused(error)) throw error;
    const lacking = new Set(oids);
    if (oids.length === 1 || oids.length > maxChecked) return { oids: lacking, error };
    for (const oid of oids) if (await check([oid]).then(() => true, isIncomplete)) lacking.delete(oid);
    return { oids: lacking, error };
  }
}

/** False for a missing object; rethrows any other error. */
function isIncomplete(error: unknown): false {
  if (isForgeError(error, "invalid")) return false;
  throw error;
}

/** Reads the targets of commands through the quarantine. */
async function readTips(quarantine: Quarantine, commands: readonly PushCommand[]): Promise<ReadonlyMap<Oid, TipDetails | undefined>> {
  const oids = [...new Set(commands.flatMap(({ newOid }) => newOid ?? []))];
  return new Map(await mapInPieces(oids, async (oid) => [oid, await describeTip(quarantine.store, oid)] as const));
}

/** Data for the transaction of a push, beside its findings. */
interface CommitInputs {
  /** The store of the objects. */
  readonly storeId: number;
  /** By ref: the inputs for the repository's rules. */
  readonly rules: ReadonlyMap<string, MoveInputs>;
  readonly sizeBytes: number;
  readonly contained: readonly ContainedPull[];
}

/** The only transaction of the push. */
async function commitPush(deps: ReceiveDeps, push: Push, findings: PushFindings, inputs: CommitInputs): Promise<PushOutcome> {
  const { actor, target, request } = push;
  const { moves } = await decide(request, findings);
  const proposals = proposalHints(deps, target.repository, proposedRefs(findings).values());
  if (moves.length === 0) return outcomeOf(request, findings, proposals);
  const moved: PushFindings = { ...findings, ...(await movePushed(deps, push, { ...inputs, updates: moves.map((move) => updateOf(move, findings.tips)) })) };
  // Also if git requests quiet, as it does without a terminal.
  const hints = target.part === "code" && actor.kind === "user" ? await pullHints(deps, actor, target.repository, (await decide(request, moved)).moves) : [];
  return outcomeOf(request, moved, [...proposals, ...hints]);
}

function updateOf({ name, oldOid, newOid }: PushCommand, tips: PushFindings["tips"]): RefUpdate {
  const tip = newOid === null ? undefined : tips?.get(newOid);
  return { name, oldOid, newOid, type: tip?.type ?? null, peeledOid: tip?.peeledOid ?? "", tipMs: tip?.tipMs ?? 0 };
}

async function movePushed(
  deps: ReceiveDeps,
  { actor, target, request }: Push,
  { storeId, updates, rules, sizeBytes, contained }: CommitInputs & { readonly updates: readonly RefUpdate[] },
): Promise<Pick<PushFindings, "unmoved" | "moveError">> {
  const mode = request.isAtomic ? "all" : "each";
  try {
    const move = { actor, target, storeId, mode, updates, inputs: rules, sizeBytes, options: request.options, contained } as const;
    const { refused } = await deps.db.tx((tx) => movePushedRefs(tx, move));
    return { unmoved: refused };
  } catch (error) {
    if (!isForgeError(error, "conflict") && !isForgeError(error, "invalid") && !isForgeError(error, "forbidden")) throw error;
    return { moveError: error };
  }
}

/** Refs of the pull requests opened or updated by commands to `refs/for/`. */
const proposedRefs = ({ proposed }: PushFindings): ReadonlyMap<PushCommand, string> =>
  new Map([...(proposed ?? [])].filter((entry): entry is [PushCommand, string] => typeof entry[1] === "string"));

function outcomeOf(request: PushRequest, findings: PushFindings, hints: readonly string[] = []): PushOutcome {
  const { refusals, live } = decideVerdicts(request, findings);
  const refused = [...refusals.values()].flatMap((one) => one ?? []);
  const messages = new Set(refused.flatMap(({ message }) => (message === "" ? [] : message.split("\n").map((line) => `error: ${line}`))));
  const count = request.commands.length;
  const progress = live.length > 0 && !request.isQuiet ? [`. Processing ${count} references`, `Processed ${count} references in total`] : [];
  const movedNames = proposedRefs(findings);
  return {
    unpackError: unpackError(request, findings.packError),
    verdicts: [...refusals].map(([command, one]) => {
      const movedName = movedNames.get(command);
      return { command, refusal: one?.refusal, ...(movedName !== undefined && { movedName }) };
    }),
    messages: [...(messages.size > 0 ? ["error:", ...messages, "error:"] : []), ...hints, ...progress],
  };
}

/** Undefined if only the commands are at fault. */
const unpackError = (request: PushRequest, error: ForgeError | undefined): string | undefined =>
  error === undefined || isShallowFault(request, error) ? undefined : error.message;
