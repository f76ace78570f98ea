import { conflict, type ErrorOptions, type ForgeError, forbidden, invalid } from "../../../core/errors.ts";
import type { PlainReason } from "../../../core/reasons.ts";
import { slicesOf } from "../../../core/turns.ts";
import { isPushableRefName, parentRefNames } from "../../../git/objects/ref-names.ts";
import type { ObjectType, Oid } from "../../../git/types.ts";
import type { RefView } from "./model.ts";

/** A request to move one ref by compare-and-set: it only succeeds if the ref has the expected value. */
export interface RefUpdate {
  /** Full name. */
  readonly name: string;
  /** Null if the ref must not exist. */
  readonly oldOid: Oid | null;
  /** Null to delete the ref, otherwise an object that is durable in the store. */
  readonly newOid: Oid | null;
  /** Facts about the new object as in {@link RefView}; see `describeTips`. Null for a deletion. */
  readonly type: ObjectType | null;
  readonly peeledOid: string;
  readonly tipMs: number;
}

/** An update that deletes a ref at its present value. */
export const deletionOf = ({ name, oid }: RefView): RefUpdate => ({ name, oldOid: oid, newOid: null, type: null, peeledOid: "", tipMs: 0 });

/** An update that creates a ref with another name for the same object. */
export const copyOf = ({ oid, type, peeledOid, tipMs }: RefView, name: string): RefUpdate => ({ name, oldOid: null, newOid: oid, type, peeledOid, tipMs });

/** A ref that was moved. */
export interface RefMove {
  readonly name: string;
  readonly oldOid: Oid | null;
  readonly newOid: Oid | null;
}

export interface RefRefusal {
  readonly update: RefUpdate;
  readonly reason: RefusalReason;
  /** `stale`: the present value of the ref, null if it does not exist. */
  readonly presentOid?: Oid | null;
  /** `taken`: the existing ref whose name conflicts. */
  readonly other?: string;
  /** `protected`: the rule that prohibits it. */
  readonly rule?: RuleRefusal;
}

/** A rule of the repository prohibits an update. */
export interface RuleRefusal {
  readonly message: string;
  readonly reason: PlainReason;
}

/** The error of a rule that prohibits an update. */
export const ruleError = ({ message, reason }: RuleRefusal, meta?: ErrorOptions["meta"]): ForgeError =>
  forbidden(message, { reason, body: "message", ...(meta && { meta }) });

/**
 * `stale`: the ref does not have the expected value. `taken`: git stores refs as files, so `a` conflicts with `a/b`.
 * `bad_name`: the name is invalid. `repeated`: the request names the same ref more than once; as in git, none of these updates succeeds.
 * `protected`: a rule of the repository prohibits it. `too_many`: the repository has the maximum number of refs.
 */
export type RefusalReason = "stale" | "taken" | "bad_name" | "repeated" | "protected" | "too_many";

/** Lists of refs, and the advertisement for old git clients, grow with the refs: 100,000 refs make an advertisement of 6 MB. */
export const maxRefs = 100_000;

export const tooManyRefs = `a repository can have at most ${maxRefs} refs: delete unused ones`;

const unnamedRule: RuleRefusal = { message: "", reason: "branch_protected" };

/** Converts a refusal to an error, for callers in mode `all`. */
export function refusalError({ update, reason, presentOid, other, rule }: RefRefusal): ForgeError {
  const meta = { ref: update.name, reason, expectedOid: update.oldOid, presentOid, other };
  switch (reason) {
    case "stale":
      return conflict(update.oldOid === null ? `the ref ${update.name} exists` : `the ref ${update.name} has changed in the meantime`, { meta });
    case "taken":
      return conflict(`the ref ${update.name} conflicts with the existing ${other}`, { reason: "ref_conflict", meta });
    case "bad_name":
      return invalid(`the ref name ${update.name} is not valid`, { reason: "invalid_ref_name", meta });
    case "repeated":
      return invalid(`the ref ${update.name} is given twice`, { meta });
    case "protected":
      return ruleError(rule ?? unnamedRule, meta);
    case "too_many":
      return invalid(tooManyRefs, { reason: "too_many_refs", meta });
  }
}

export interface CheckedMoves {
  /** Effective updates, separated into deletions and others. */
  readonly deletions: readonly RefUpdate[];
  readonly changes: readonly RefUpdate[];
  readonly refusals: readonly RefRefusal[];
}

/** Updates that are checked in one turn of the event loop. */
const checkedTogether = 1_000;

/** All names that {@link checkValues} needs: the refs themselves, and their possible conflicts. */
export async function namesToLoad(updates: readonly RefUpdate[]): Promise<readonly string[]> {
  const names = new Set<string>();
  for await (const slice of slicesOf(updates, checkedTogether)) {
    for (const { name, newOid } of slice) {
      names.add(name);
      if (newOid !== null) for (const parent of parentRefNames(name)) names.add(parent);
    }
  }
  return [...names];
}

/** Checks each ref against its expected value. An update to the present value succeeds without effect. */
export async function checkValues(updates: readonly RefUpdate[], present: ReadonlyMap<string, RefView>): Promise<CheckedMoves> {
  const named = new Map<string, number>();
  for (const { name } of updates) named.set(name, (named.get(name) ?? 0) + 1);
  const deletions: RefUpdate[] = [];
  const changes: RefUpdate[] = [];
  const refusals: RefRefusal[] = [];
  for await (const slice of slicesOf(updates, checkedTogether)) {
    for (const update of slice) {
      const presentOid = present.get(update.name)?.oid ?? null;
      if (named.get(update.name) !== 1) refusals.push({ update, reason: "repeated" });
      else if (presentOid !== update.oldOid) refusals.push({ update, reason: "stale", presentOid });
      else if (presentOid === null && update.newOid !== null && !isPushableRefName(update.name)) refusals.push({ update, reason: "bad_name" });
      else if (presentOid !== update.newOid) (update.newOid === null ? deletions : changes).push(update);
    }
  }
  return { deletions, changes, refusals };
}

/** Existing refs that can conflict with the new refs. */
export interface Neighbours {
  readonly present: ReadonlyMap<string, RefView>;
  /** For new refs: a remaining ref whose name begins with the new name and a slash. */
  readonly below: ReadonlyMap<string, string>;
}

/** Checks the names of new refs against remaining refs and against each other; of two conflicting new refs the first one succeeds. */
export async function checkNames(checked: CheckedMoves, { present, below }: Neighbours): Promise<CheckedMoves> {
  const deleted = new Set(checked.deletions.map(({ name }) => name));
  const made = new Set<string>();
  /** The parent paths of new refs, each with a ref below it. */
  const parents = new Map<string, string>();
  const changes: RefUpdate[] = [];
  const refusals = [...checked.refusals];
  const check = (update: RefUpdate): void => {
    const above = parentRefNames(update.name);
    const other = above.find((name) => made.has(name) || (present.has(name) && !deleted.has(name))) ?? parents.get(update.name) ?? below.get(update.name);
    if (other !== undefined) {
      refusals.push({ update, reason: "taken", other });
      return;
    }
    made.add(update.name);
    for (const name of above) parents.set(name, update.name);
    changes.push(update);
  };
  for await (const slice of slicesOf(checked.changes, checkedTogether)) {
    for (const update of slice) {
      if (update.oldOid === null) check(update);
      else changes.push(update);
    }
  }
  return { deletions: checked.deletions, changes, refusals };
}
