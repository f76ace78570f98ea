import { type ForgeError, invalid, malformed, tooLarge, unavailable } from "../../core/errors.ts";
import { outOfMemory } from "../run/resource-limit.ts";
import type { GitOutcome } from "../run/runner.ts";

/** Why a pack or a set of tips is rejected; stored in `meta.problem` of the error, for reports to git clients. */
export type PackProblem =
  /** Not a pack, truncated, or not unpackable. */
  | "bad_pack"
  /** It refers to objects that neither it nor the store contains. */
  | "missing_objects"
  /** An object violates a rule of git's consistency check; `details` names objects and rules. */
  | "fsck"
  | "too_large"
  /** Trees nested too deeply for git to walk. */
  | "too_deep"
  | "storage"
  | "git";

const storageFailure =
  /No space left on device|Disk quota exceeded|Read-only file system|Input\/output error|Permission denied|Too many open files|unable to create (?:temporary|thread)|unable to write|write error/i;
const missingObject = /unresolved delta|did not receive expected object/;
/** `error: object <oid>: <rule>: <text>`; `fatal: fsck error in packed object`, `Error in object` follow. */
const fsckLine = /^error: (?:object )?([0-9a-f]{40,64}): ([A-Za-z0-9]+): (.*)$/gm;
const detailCount = 20;

interface ProblemOptions {
  readonly outcome?: GitOutcome;
  readonly details?: readonly string[];
  readonly refuses?: "pack";
  /** The limit that the size of the pack exceeds. */
  readonly maxBytes?: number;
}

export function problem(kind: PackProblem, message: string, options: ProblemOptions = {}): ForgeError {
  const make = { bad_pack: malformed, missing_objects: invalid, fsck: invalid, too_large: tooLarge, too_deep: invalid, storage: unavailable, git: unavailable }[
    kind
  ];
  return make(message, {
    meta: {
      problem: kind,
      ...outcomeMeta(options.outcome),
      ...(options.refuses && { refuses: options.refuses }),
      ...(options.maxBytes !== undefined && { maxBytes: options.maxBytes }),
    },
    ...(options.details === undefined ? {} : { details: options.details }),
    ...(kind === "storage" || kind === "git" ? { retryAfter: 30 } : {}),
  });
}

function outcomeMeta(outcome: GitOutcome | undefined): object {
  return outcome === undefined ? {} : { code: outcome.code, signal: outcome.signal, stderr: outcome.stderr };
}

/** Classifies a failure of `index-pack` by its output. */
export function packFailure(outcome: GitOutcome): ForgeError {
  const { stderr } = outcome;
  const refuse = (kind: PackProblem, message: string, details?: readonly string[]): ForgeError =>
    problem(kind, message, { outcome, refuses: "pack", ...(details === undefined ? {} : { details }) });
  if (/pack exceeds maximum allowed size/.test(stderr)) return refuse("too_large", "the pack is larger than this server takes");
  if (storageFailure.test(stderr)) return refuse("storage", "the pack cannot be stored now");
  if (outOfMemory.test(stderr)) return refuse("too_large", "an object of the pack needs more memory than this server gives");
  const details = fsckDetails(stderr);
  if (details.length > 0) return refuse("fsck", `an object breaks a rule: ${details[0]}`, details);
  if (outcome.signal === "SIGSEGV" || outcome.signal === "SIGBUS") return refuse("too_deep", "the objects are nested too deeply");
  if (outcome.signal !== null) return refuse("git", "git ended before the pack was checked");
  if (missingObject.test(stderr)) return refuse("missing_objects", "the pack builds on objects that are not here");
  return refuse("bad_pack", "the pack cannot be read");
}

/** Whether the whole pack is rejected, and not only some of the tips pushed with it. */
export const isPackRefused = (error: ForgeError): boolean => error.options.meta?.refuses === "pack";

/** Whether objects needed by the new ones are neither in the pack nor in the store. */
export const lacksObjects = (error: ForgeError): boolean => error.options.meta?.problem === ("missing_objects" satisfies PackProblem);

/** Classifies a failure of the connectivity walk. */
export function connectivityFailure(outcome: GitOutcome): ForgeError {
  if (outcome.signal === "SIGSEGV" || outcome.signal === "SIGBUS" || /exceeded maximum allowed tree depth/.test(outcome.stderr)) {
    return problem("too_deep", "the trees are nested too deeply", { outcome });
  }
  if (outcome.signal === null && !storageFailure.test(outcome.stderr) && !outOfMemory.test(outcome.stderr)) {
    return problem("missing_objects", "objects that a ref needs are missing", { outcome });
  }
  return problem("git", "the new objects cannot be checked now", { outcome });
}

function fsckDetails(stderr: string): string[] {
  const details: string[] = [];
  for (const [, oid, rule, text] of stderr.matchAll(fsckLine)) {
    if (details.length < detailCount) details.push(`${oid}: ${rule}: ${text}`);
  }
  return details;
}
