import type { ForgeError } from "../../../../core/errors.ts";
import { lacksObjects } from "../../../../git/receive/pack-problems.ts";
import type { Oid } from "../../../../git/types.ts";
import { type RefRefusal, tooManyRefs } from "../../../repositories/refs/moves.ts";
import type { TipDetails } from "../../../repositories/refs/service/tips.ts";
import { checkTarget, declined, isProposal, type Refused } from "./push-policy.ts";
import type { PushCommand, PushRequest } from "./push-request.ts";

/** Results of the steps of a push. A step that has not run, or found nothing, is absent. */
export interface PushFindings {
  /** Commands that the policy refuses. */
  readonly declined: ReadonlyMap<PushCommand, Refused>;
  /** Moves that cannot succeed with the present refs. */
  readonly impossible?: readonly RefRefusal[];
  /** The error of the whole pack. */
  readonly packError?: ForgeError | undefined;
  /** New tips from which objects are missing, and the error of the check. */
  readonly incomplete?: { readonly oids: ReadonlySet<Oid>; readonly error: ForgeError } | undefined;
  /** New targets; undefined for a missing object. */
  readonly tips?: ReadonlyMap<Oid, TipDetails | undefined>;
  /** For each command to `refs/for/`, the ref of its pull request, or the refusal. */
  readonly proposed?: ReadonlyMap<PushCommand, string | Refused>;
  /** Moves that the transaction refused. */
  readonly unmoved?: readonly RefRefusal[];
  /** The error that undid the transaction. */
  readonly moveError?: ForgeError;
}

export interface PushVerdicts {
  /** Undefined for a command that is not refused so far; in the order of the push. */
  readonly refusals: ReadonlyMap<PushCommand, Refused | undefined>;
  readonly live: readonly PushCommand[];
  /** The live commands that move refs of the store. */
  readonly moves: readonly PushCommand[];
}

const atomicRefusal: Refused = { refusal: "atomic push failure", message: "" };

/** The message of git's receive-pack for a push from a shallow clone whose missing history is not in the repository. */
const shallowRefusal: Refused = {
  refusal: "shallow update not allowed",
  message: "This repository lacks commits that are missing in your shallow clone: run git fetch --unshallow, then push again.",
};

/** Decides on each command: its first refusal counts. A refused command refuses all others of an atomic push. */
export function decideVerdicts(request: Pick<PushRequest, "commands" | "isAtomic" | "isShallow">, findings: PushFindings): PushVerdicts {
  const { commands, isAtomic } = request;
  const { packError, incomplete, tips, proposed, moveError } = findings;
  const impossible = new Map([...(findings.impossible ?? []), ...(findings.unmoved ?? [])].map((refusal) => [refusal.update.name, refusal]));

  const refusalFor = (command: PushCommand): Refused | undefined => {
    const declinedFor = findings.declined.get(command);
    if (declinedFor !== undefined) return declinedFor;
    // A pull request is opened in its own transaction, so it cannot be atomic with other commands.
    if (isAtomic && commands.length > 1 && isProposal(command)) return atomicRefusal;
    const refusal = impossible.get(command.name);
    if (refusal !== undefined) return presentRefusal(refusal);
    if (packError !== undefined) return isShallowFault(request, packError) ? shallowRefusal : { refusal: "unpacker error", message: packMessage(packError) };
    const { newOid } = command;
    if (newOid !== null && incomplete?.oids.has(newOid) === true) {
      const { error } = incomplete;
      const missing = { refusal: "missing necessary objects", message: `${command.name}: ${error.message}` };
      return isShallowFault(request, error) ? shallowRefusal : missing;
    }
    const badTarget = newOid !== null && tips?.has(newOid) === true ? checkTarget(command, tips.get(newOid)?.type) : undefined;
    if (badTarget !== undefined) return badTarget;
    const proposal = proposed?.get(command);
    if (typeof proposal === "object") return proposal;
    return moveError === undefined || isProposal(command) ? undefined : { refusal: `${atomicRefusal.refusal}: ${moveError.message}`, message: "" };
  };

  const own = new Map(commands.map((command) => [command, refusalFor(command)]));
  const fails = isAtomic && [...own.values()].some((refused) => refused !== undefined);
  const refusals = fails ? new Map([...own].map(([command, refused]) => [command, refused ?? atomicRefusal])) : own;
  const live = commands.filter((command) => refusals.get(command) === undefined);
  return { refusals, live, moves: live.filter((command) => !isProposal(command)) };
}

/** Whether a pack lacks objects because the client's clone is shallow. */
export const isShallowFault = ({ isShallow }: Pick<PushRequest, "isShallow">, error: ForgeError): boolean => isShallow && lacksObjects(error);

const packMessage = (error: ForgeError): string => [error.message, ...(error.options.details ?? []).slice(1)].join("\n");

const presentRefusal = (refusal: RefRefusal): Refused =>
  refusal.reason === "protected" ? { refusal: declined, message: refusal.rule?.message ?? "" } : { refusal: reasonText(refusal), message: "" };

function reasonText({ reason, other }: RefRefusal): string {
  switch (reason) {
    case "too_many":
      return tooManyRefs;
    case "stale":
      return "the ref has changed in the meantime: fetch first";
    case "taken":
      return `conflicts with ${other}: delete it or use another name`;
    case "bad_name":
      return "funny refname";
    case "repeated":
      return "the ref is named twice in one push";
    case "protected":
      return declined;
  }
}
