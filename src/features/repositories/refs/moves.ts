import { conflict, type ForgeError, forbidden, invalid } from "../../../core/errors.ts";
import { isPushableRefName, parentRefNames } from "../../../git/objects/ref-names.ts";
import type { ObjectType, Oid } from "../../../git/types.ts";
import type { RefView } from "./model.ts";

/** A wish to move one ref, compare-and-set: it is granted only while the ref is what the caller believes. */
export interface RefUpdate {
  /** Full name. */
  readonly name: string;
  /** Null: the ref must not exist. */
  readonly oldOid: Oid | null;
  /** Null: the ref is deleted. Else an object that is durable in the store. */
  readonly newOid: Oid | null;
  /** Facts of the new object, as {@link RefView} has them; see `describeTips`. Null for a deletion. */
  readonly type: ObjectType | null;
  readonly peeledOid: string;
  readonly tipMs: number;
}

/** Deletes a ref as it is now. */
export const deletionOf = ({ name, oid }: RefView): RefUpdate => ({ name, oldOid: oid, newOid: null, type: null, peeledOid: "", tipMs: 0 });

/** Makes a ref of another name that points to the same object. */
export const copyOf = ({ oid, type, peeledOid, tipMs }: RefView, name: string): RefUpdate => ({ name, oldOid: null, newOid: oid, type, peeledOid, tipMs });

/** A ref that did move. */
export interface RefMove {
  readonly name: string;
  readonly oldOid: Oid | null;
  readonly newOid: Oid | null;
}

export interface RefRefusal {
  readonly update: RefUpdate;
  readonly reason: RefusalReason;
  /** `stale`: what the ref is now, null when it is not there. */
  readonly presentOid?: Oid | null;
  /** `taken`: a ref that this one cannot be beside. */
  readonly other?: string;
  /** `protected`: what the rule says, for whoever wished for the move. */
  readonly rule?: string;
}

/**
 * `stale`: the ref is not what the caller believed. `taken`: git keeps refs as files, so `a` cannot be beside `a/b`.
 * `bad_name`: no ref may be called that. `repeated`: the request names the same ref more than once; none of these updates is granted, as in git. `protected`: a rule of the
 * repository is against it. `too_many`: the repository holds as many refs as one may.
 */
export type RefusalReason = "stale" | "taken" | "bad_name" | "repeated" | "protected" | "too_many";

/** Every list of refs, and what old git clients are greeted with, grows with them: 100,000 make 6 MB of each greeting. */
export const maxRefs = 100_000;

export const tooManyRefs = `a repository has at most ${maxRefs} refs: delete some that nobody needs`;

/** The refusal as an error, for callers who move all or nothing. */
export function refusalError({ update, reason, presentOid, other, rule = "" }: RefRefusal): ForgeError {
  const meta = { ref: update.name, reason, expectedOid: update.oldOid, presentOid, other };
  switch (reason) {
    case "stale":
      return conflict(update.oldOid === null ? `the ref ${update.name} exists` : `the ref ${update.name} has changed meanwhile`, { meta });
    case "taken":
      return conflict(`the ref ${update.name} cannot be beside ${other}`, { meta });
    case "bad_name":
      return invalid(`no ref can have the name ${update.name}`, { meta });
    case "repeated":
      return invalid(`the ref ${update.name} is named twice`, { meta });
    case "protected":
      return forbidden(rule, { body: "message", meta });
    case "too_many":
      return invalid(tooManyRefs, { meta });
  }
}

export interface CheckedMoves {
  /** Updates that change something, deletions and others apart. */
  readonly deletions: readonly RefUpdate[];
  readonly changes: readonly RefUpdate[];
  readonly refusals: readonly RefRefusal[];
}

/** Every name that {@link checkValues} wants to know about: the refs themselves, and what cannot be beside them. */
export const namesToLoad = (updates: readonly RefUpdate[]): string[] => [
  ...new Set(updates.flatMap(({ name, newOid }) => (newOid === null ? [name] : [name, ...parentRefNames(name)]))),
];

/** Whether each ref is what its caller believes. An update to what is already there is granted and changes nothing. */
export function checkValues(updates: readonly RefUpdate[], present: ReadonlyMap<string, RefView>): CheckedMoves {
  const named = new Map<string, number>();
  for (const { name } of updates) named.set(name, (named.get(name) ?? 0) + 1);
  const deletions: RefUpdate[] = [];
  const changes: RefUpdate[] = [];
  const refusals: RefRefusal[] = [];
  for (const update of updates) {
    const presentOid = present.get(update.name)?.oid ?? null;
    if (named.get(update.name) !== 1) refusals.push({ update, reason: "repeated" });
    else if (presentOid !== update.oldOid) refusals.push({ update, reason: "stale", presentOid });
    else if (presentOid === null && update.newOid !== null && !isPushableRefName(update.name)) refusals.push({ update, reason: "bad_name" });
    else if (presentOid !== update.newOid) (update.newOid === null ? deletions : changes).push(update);
  }
  return { deletions, changes, refusals };
}

/** What stands in the way of the new refs among `judged`. */
export interface Neighbours {
  readonly present: ReadonlyMap<string, RefView>;
  /** For new refs: one that stays and whose name begins with the new one and a slash. */
  readonly below: ReadonlyMap<string, string>;
}

/** Whether the new refs can be beside those that stay, and beside each other: the first of two that cannot wins. */
export function checkNames(judged: CheckedMoves, { present, below }: Neighbours): CheckedMoves {
  const deleted = new Set(judged.deletions.map(({ name }) => name));
  const made = new Set<string>();
  /** Parents of new refs, each with a ref below it. */
  const parents = new Map<string, string>();
  const changes: RefUpdate[] = [];
  const refusals = [...judged.refusals];
  for (const update of judged.changes) {
    if (update.oldOid !== null) {
      changes.push(update);
      continue;
    }
    const above = parentRefNames(update.name);
    const other = above.find((name) => made.has(name) || (present.has(name) && !deleted.has(name))) ?? parents.get(update.name) ?? below.get(update.name);
    if (other !== undefined) {
      refusals.push({ update, reason: "taken", other });
      continue;
    }
    made.add(update.name);
    for (const name of above) parents.set(name, update.name);
    changes.push(update);
  }
  return { deletions: judged.deletions, changes, refusals };
}
