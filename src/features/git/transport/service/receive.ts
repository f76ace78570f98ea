import type { DeployKeyActor, UserActor } from "../../../../access/actor.ts";
import type { Config } from "../../../../config/config.ts";
import { type ForgeError, isForgeError } from "../../../../core/errors.ts";
import { createQuarantine, type Quarantine, type ReceivedPack } from "../../../../git/receive/pack.ts";
import { isPackRefused, lacksObjects } from "../../../../git/receive/pack-problems.ts";
import type { Oid } from "../../../../git/types.ts";
import { findUnverified } from "../../../accounts/keys/service/unverified.ts";
import type { PullDeps } from "../../../collaboration/pulls/service/deps.ts";
import { type ContainedPull, findContained } from "../../../collaboration/pulls/service/merge/contained.ts";
import type { MoveInputs } from "../../../repositories/protections/check-move.ts";
import { collectProtectionInputs } from "../../../repositories/protections/service/guard.ts";
import { type RefRefusal, type RefUpdate, tooManyRefs } from "../../../repositories/refs/moves.ts";
import { checkMoves } from "../../../repositories/refs/service/move.ts";
import { allRefs, refTips } from "../../../repositories/refs/service/read.ts";
import { describeTip } from "../../../repositories/refs/service/tips.ts";
import { requireRoom } from "../../../repositories/repos/service/sizes.ts";
import type { GitTarget } from "../git-target.ts";
import { isProposal, proposalHints, pullHints, takeProposal } from "./proposals.ts";
import { movePushedRefs, openPushedStore, readPushedPart } from "./push-moves.ts";
import { checkCommand, checkTarget, declined, type Refused } from "./push-policy.ts";
import type { PushOutcome } from "./push-report.ts";
import type { PushCommand, PushRequest } from "./push-request.ts";

export interface ReceiveDeps extends PullDeps {
  readonly config: Config;
}

export interface Push {
  readonly actor: UserActor | DeployKeyActor;
  readonly target: GitTarget;
  readonly request: PushRequest;
  readonly signal: AbortSignal;
}

/** Commands with their refusals, in the order of the push. */
type CommandVerdicts = Map<PushCommand, Refused | undefined>;

/** Refs of the pull requests opened or updated by commands to `refs/for/`. */
type Proposed = Map<PushCommand, string>;

const atomicRefusal: Refused = { refusal: "atomic push failure", message: "" };

/**
 * Receives a push: objects into a quarantine, checks, objects into the store, then one transaction that moves the refs. A failure
 * before the transaction leaves the repository unchanged.
 */
export async function receivePush(deps: ReceiveDeps, push: Push): Promise<PushOutcome> {
  const { target, request } = push;
  const part = await readPushedPart(deps, push.actor, target);
  const verdicts: CommandVerdicts = new Map(request.commands.map((command) => [command, checkCommand(part, command)]));
  // A pull request is opened in its own transaction, so it cannot be atomic with other commands.
  if (request.isAtomic && verdicts.size > 1) for (const command of liveCommands(verdicts).filter(isProposal)) verdicts.set(command, atomicRefusal);
  failTogether(request, verdicts);
  const live = liveCommands(verdicts);
  if (live.length === 0) return outcomeOf(request, verdicts);
  const storeId = await openPushedStore(deps, target);
  await refuseImpossible(deps, storeId, verdicts);
  failTogether(request, verdicts);
  if (liveCommands(verdicts).length === 0) return outcomeOf(request, verdicts);
  if (live.every((command) => command.newOid === null))
    return commitPush(deps, push, verdicts, { storeId, tips: new Map(), rules: new Map(), sizeBytes: 0, contained: [] });

  const quarantine = await createQuarantine(deps.git.store(storeId, target.repository.objectFormat));
  try {
    const pack = await takePack(deps, push, quarantine, verdicts);
    if ("unpackError" in pack) return { ...outcomeOf(request, verdicts), unpackError: pack.unpackError };
    failTogether(request, verdicts);
    const facts = await describeTargets(quarantine, verdicts);
    failTogether(request, verdicts);
    if (liveCommands(verdicts).length === 0) return outcomeOf(request, verdicts);
    const rules = target.part === "wiki" ? new Map() : await loadRuleInputs(deps, push, quarantine, verdicts);
    const contained = target.part === "code" ? await findContained(deps, target.repository, quarantine.store, movesOf(verdicts)) : [];
    // Another push may have been faster. Its loser leaves no objects in the store.
    await refuseImpossible(deps, storeId, verdicts);
    failTogether(request, verdicts);
    if (liveCommands(verdicts).length === 0) return outcomeOf(request, verdicts);
    await quarantine.promote();
    const proposed = await takeProposals(deps, push, verdicts);
    return await commitPush(deps, push, verdicts, { storeId, tips: facts, rules, sizeBytes: pack.sizeBytes, contained }, proposed);
  } finally {
    await quarantine.discard();
  }
}

/**
 * Refuses commands that cannot succeed with the present refs, before the pack is received: most often another push has moved the ref. The
 * transaction checks all of them again.
 */
async function refuseImpossible(deps: ReceiveDeps, storeId: number, verdicts: CommandVerdicts): Promise<void> {
  const commands = movesOf(verdicts);
  const updates = commands.map(({ name, oldOid, newOid }): RefUpdate => ({ name, oldOid, newOid, type: null, peeledOid: "", tipMs: 0 }));
  const commandOf = new Map(updates.map((update, at) => [update, commands[at]]));
  for (const refusal of (await checkMoves(deps.db, storeId, updates)).refusals) {
    const command = commandOf.get(refusal.update);
    if (command !== undefined) verdicts.set(command, refusalOf(refusal));
  }
}

const loadRuleInputs = async (
  deps: ReceiveDeps,
  { target }: Push,
  { store }: Quarantine,
  verdicts: CommandVerdicts,
): Promise<ReadonlyMap<string, MoveInputs>> =>
  collectProtectionInputs(deps, store, {
    repoId: target.repository.id,
    moves: liveCommands(verdicts),
    knownOids: async () => (await allRefs(deps.db, store.id)).map(({ oid }) => oid),
    findUnverified: (quarantined, oids) => findUnverified(deps, quarantined, oids),
  });

const liveCommands = (verdicts: CommandVerdicts): PushCommand[] => [...verdicts].filter(([, refused]) => refused === undefined).map(([command]) => command);

/** Commands that move refs of the store. */
const movesOf = (verdicts: CommandVerdicts): PushCommand[] => liveCommands(verdicts).filter((command) => !isProposal(command));

async function takeProposals(deps: ReceiveDeps, { actor, target, request }: Push, verdicts: CommandVerdicts): Promise<Proposed> {
  const proposed: Proposed = new Map();
  if (actor.kind !== "user") return proposed;
  for (const command of liveCommands(verdicts).filter(isProposal)) {
    const taken = await takeProposal(deps, actor, target.repository, command, request.options);
    if (typeof taken === "string") proposed.set(command, taken);
    else verdicts.set(command, taken);
  }
  return proposed;
}

/** Refuses all commands of an atomic push if one is refused. */
function failTogether(request: PushRequest, verdicts: CommandVerdicts): void {
  if (!request.isAtomic || liveCommands(verdicts).length === verdicts.size) return;
  for (const [command, refused] of verdicts) if (refused === undefined) verdicts.set(command, atomicRefusal);
}

/** The message of git's receive-pack for a push from a shallow clone whose missing history is not in the repository. */
const shallowRefusal: Refused = {
  refusal: "shallow update not allowed",
  message: "This repository lacks commits that are missing in your shallow clone: run git fetch --unshallow, then push again.",
};

/** @returns the received pack; or the error of the pack, after refusing every command. The error is undefined if only the commands are at fault. */
async function takePack(
  deps: ReceiveDeps,
  push: Push,
  quarantine: Quarantine,
  verdicts: CommandVerdicts,
): Promise<ReceivedPack | { readonly unpackError: string | undefined }> {
  const { request, target, signal } = push;
  try {
    const pack = await quarantine.receivePack(request.pack, { maxBytes: deps.config.git.max_push_bytes, signal });
    await requireRoom(deps, target.repository.ownerId, pack.sizeBytes);
    await refuseUnconnected(deps, quarantine, verdicts, push);
    return pack;
  } catch (error) {
    if (!isForgeError(error) || error.code === "unavailable") throw error;
    deps.log.info({ repoId: target.repository.id, meta: error.options.meta }, "a push was refused because of its pack");
    const isShallow = request.isShallow && lacksObjects(error);
    const refusal = isShallow ? shallowRefusal : { refusal: "unpacker error", message: packMessage(error) };
    for (const command of liveCommands(verdicts)) verdicts.set(command, refusal);
    return { unpackError: isShallow ? undefined : error.message };
  }
}

const packMessage = (error: ForgeError): string => [error.message, ...(error.options.details ?? []).slice(1)].join("\n");

/** Above this number of failing refs, all are refused: finding the incomplete ones takes a walk for each. */
const toldApart = 16;

/** Checks that all objects reachable from the new tips exist. Otherwise refuses the incomplete refs and continues with the others. */
async function refuseUnconnected(deps: ReceiveDeps, quarantine: Quarantine, verdicts: CommandVerdicts, { request, signal }: Push): Promise<void> {
  const knownOids = refTips(deps.db, quarantine.store.id);
  const present = await knownOids.among(liveCommands(verdicts).flatMap(({ newOid }) => newOid ?? []));
  const commands = liveCommands(verdicts).filter(({ newOid }) => newOid !== null && !present.has(newOid));
  const check = (oids: readonly Oid[]) => quarantine.checkConnected({ tipOids: oids, knownOids, signal });
  const oids = [...new Set(commands.map(({ newOid }) => newOid as Oid))];
  if (oids.length === 0) return;
  try {
    await check(oids);
  } catch (error) {
    if (!isForgeError(error, "invalid") || isPackRefused(error)) throw error;
    for (const oid of oids) {
      const isWhole = oids.length > 1 && oids.length <= toldApart && (await check([oid]).then(() => true, isIncomplete));
      if (isWhole) continue;
      for (const command of commands) {
        if (command.newOid !== oid) continue;
        const missing = { refusal: "missing necessary objects", message: `${command.name}: ${error.message}` };
        verdicts.set(command, request.isShallow && lacksObjects(error) ? shallowRefusal : missing);
      }
    }
  }
}

/** True for a missing object; rethrows any other error. */
function isIncomplete(error: unknown): false {
  if (isForgeError(error, "invalid")) return false;
  throw error;
}

type PushedTip = Awaited<ReturnType<typeof describeTip>>;

/** Reads the targets of the refs through the quarantine and refuses commands with an invalid target. */
async function describeTargets(quarantine: Quarantine, verdicts: CommandVerdicts): Promise<ReadonlyMap<Oid, PushedTip>> {
  const facts = new Map<Oid, PushedTip>();
  const commands = liveCommands(verdicts);
  await Promise.all(
    [...new Set(commands.map(({ newOid }) => newOid))].map(async (oid) => {
      if (oid !== null) facts.set(oid, await describeTip(quarantine.store, oid));
    }),
  );
  for (const command of commands) {
    const refused = checkTarget(command, command.newOid === null ? undefined : facts.get(command.newOid)?.type);
    if (refused !== undefined) verdicts.set(command, refused);
  }
  return facts;
}

/** Data loaded from the objects of a push. */
interface PushInputs {
  /** The store of the objects. */
  readonly storeId: number;
  /** By object. */
  readonly tips: ReadonlyMap<Oid, PushedTip>;
  /** By ref: the inputs for the repository's rules. */
  readonly rules: ReadonlyMap<string, MoveInputs>;
  readonly sizeBytes: number;
  readonly contained: readonly ContainedPull[];
}

/** The only transaction of the push. */
async function commitPush(
  deps: ReceiveDeps,
  { actor, target, request }: Push,
  verdicts: CommandVerdicts,
  { storeId, tips, rules, sizeBytes, contained }: PushInputs,
  proposed: Proposed = new Map(),
): Promise<PushOutcome> {
  const commands = movesOf(verdicts);
  const proposals = proposalHints(deps, target.repository, proposed.values());
  if (commands.length === 0) return outcomeOf(request, verdicts, proposed, proposals);
  const updates = commands.map((command): RefUpdate => {
    const tip = command.newOid === null ? undefined : tips.get(command.newOid);
    return {
      name: command.name,
      oldOid: command.oldOid,
      newOid: command.newOid,
      type: tip?.type ?? null,
      peeledOid: tip?.peeledOid ?? "",
      tipMs: tip?.tipMs ?? 0,
    };
  });
  const mode = request.isAtomic ? "all" : "each";
  const commandOf = new Map(updates.map((update, at) => [update, commands[at]]));
  const push = { actor, target, storeId, mode, updates, facts: rules, sizeBytes, options: request.options, contained } as const;
  try {
    const { refused } = await deps.db.tx((tx) => movePushedRefs(tx, push));
    for (const refusal of refused) {
      const command = commandOf.get(refusal.update);
      if (command !== undefined) verdicts.set(command, refusalOf(refusal));
    }
  } catch (error) {
    if (!isForgeError(error, "conflict") && !isForgeError(error, "invalid") && !isForgeError(error, "forbidden")) throw error;
    for (const command of commands) verdicts.set(command, { refusal: `${atomicRefusal.refusal}: ${error.message}`, message: "" });
  }
  // Also if git requests quiet, as it does without a terminal.
  const hints = target.part === "code" && actor.kind === "user" ? await pullHints(deps, target.repository, movesOf(verdicts)) : [];
  return outcomeOf(request, verdicts, proposed, [...proposals, ...hints]);
}

const refusalOf = (refusal: RefRefusal): Refused =>
  refusal.reason === "protected" ? { refusal: declined, message: refusal.rule ?? "" } : { refusal: reasonText(refusal), message: "" };

function reasonText({ reason, other }: RefRefusal): string {
  switch (reason) {
    case "too_many":
      return tooManyRefs;
    case "stale":
      return "the ref has changed in the meantime: fetch first";
    case "taken":
      return `cannot be beside ${other}`;
    case "bad_name":
      return "funny refname";
    case "repeated":
      return "the ref is named twice in one push";
    case "protected":
      return declined;
  }
}

function outcomeOf(request: PushRequest, verdicts: CommandVerdicts, proposed: Proposed = new Map(), hints: readonly string[] = []): PushOutcome {
  const messages = new Set(
    [...verdicts.values()].flatMap((refused) =>
      refused === undefined || refused.message === "" ? [] : refused.message.split("\n").map((line) => `error: ${line}`),
    ),
  );
  const count = request.commands.length;
  const isDone = [...verdicts.values()].some((refused) => refused === undefined);
  const progress = isDone && !request.isQuiet ? [`. Processing ${count} references`, `Processed ${count} references in total`] : [];
  return {
    unpackError: undefined,
    verdicts: [...verdicts].map(([command, refused]) => {
      const movedName = proposed.get(command);
      return { command, refusal: refused?.refusal, ...(movedName !== undefined && { movedName }) };
    }),
    messages: [...(messages.size > 0 ? ["error:", ...messages, "error:"] : []), ...hints, ...progress],
  };
}
