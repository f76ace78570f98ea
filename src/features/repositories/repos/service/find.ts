import { type Actor, isUser } from "../../../../access/actor.ts";
import { atLeast, evaluateRepositoryRight } from "../../../../access/repository.ts";
import type { Found, ReadAhead, RepositorySubject } from "../../../../access/subjects.ts";
import { type ForgeError, isForgeError, notFound } from "../../../../core/errors.ts";
import type { Reader } from "../../../../db/db.ts";
import { findAccount } from "../../../accounts/users/service/accounts.ts";
import {
  findMoved,
  type LocatedRepository,
  locatedText,
  locateRepositoriesById,
  locateRepositoriesByNames,
  locateRepository,
  parseLocated,
} from "../store/located.ts";

/** The text of a {@link ReadAhead}: a scalar for the statement that reads credentials. */
export const readAheadText = locatedText;

export const actorIdOf = (actor: Actor): number => (isUser(actor) ? actor.id : 0);

/** A repository with the caller's permissions. */
export function toSubject(located: LocatedRepository, actor: Actor): RepositorySubject {
  const { settings: _, rightInput, ...repository } = located;
  return {
    ...repository,
    fullName: `${located.ownerName}/${located.name}`,
    enabledUnits: rightInput.enabledUnits,
    right: evaluateRepositoryRight(actor, rightInput),
  };
}

/**
 * Finds a repository by its present or a former path.
 * @param readAhead the repository of this path as the actor sees it, if it was read with their credentials
 * @throws ForgeError `not_found` if there is none that the caller can read; the error is the same for missing and hidden ones
 */
export async function findRepository(
  deps: { readonly db: Reader },
  owner: string,
  name: string,
  actor: Actor,
  readAhead?: ReadAhead,
): Promise<Found<RepositorySubject>> {
  const located = readAhead === undefined ? await locateRepository(deps.db, owner, name, actorIdOf(actor)) : parseLocated(readAhead.text);
  const subject = located && toSubject(located, actor);
  if (subject !== undefined && atLeast(subject.right.mode, "read")) return { subject };
  // Also queried for hidden repositories, so that the response time does not distinguish them from missing ones.
  const { isOwnerRenamed, movedTo } = await findMoved(deps.db, owner, name);
  if (subject !== undefined || movedTo === undefined) throw await missing(deps, owner, actor);
  const [newOwner = "", newName = ""] = movedTo.split("/");
  const target = await locateRepository(deps.db, newOwner, newName, actorIdOf(actor));
  // A redirect would reveal that a hidden repository exists.
  if (target === undefined || !atLeast(toSubject(target, actor).right.mode, "read")) throw await missing(deps, owner, actor);
  return { movedTo, isAccountRenamed: isOwnerRenamed };
}

/** For callers with other permission checks: also finds repositories that the actor cannot read. Undefined for a former path. */
export async function findAddressed(deps: { readonly db: Reader }, owner: string, name: string, actor: Actor): Promise<RepositorySubject | undefined> {
  const located = await locateRepository(deps.db, owner, name, actorIdOf(actor));
  return located && toSubject(located, actor);
}

const noActor: Actor = { kind: "anonymous" };

/** For work of the server itself: the repository that has or had a path, also if it is hidden. */
export async function findPlaceNamed(deps: { readonly db: Reader }, owner: string, name: string): Promise<RepositorySubject | undefined> {
  const { movedTo } = await findMoved(deps.db, owner, name);
  const [presentOwner = "", presentName = ""] = movedTo?.split("/") ?? [];
  return movedTo === undefined ? undefined : findAddressed(deps, presentOwner, presentName, noActor);
}

/** For work of the server itself: a repository, also if it is hidden. */
export async function findPlaceById(deps: { readonly db: Reader }, id: number): Promise<RepositorySubject | undefined> {
  const located = (await locateRepositoriesById(deps.db, [id], actorIdOf(noActor))).get(id);
  return located && toSubject(located, noActor);
}

/** The error for a missing or hidden repository. An owner hidden from the caller is reported as missing, too. */
async function missing(deps: { readonly db: Reader }, owner: string, actor: Actor): Promise<ForgeError> {
  try {
    await findAccount(deps, owner, actor);
    return notFound();
  } catch (error) {
    if (!isForgeError(error, "not_found")) throw error;
    return notFound("GetUserByName", { reason: "user_not_found", details: [`user redirect does not exist [name: ${owner}]`] });
  }
}

/** @throws ForgeError `not_found` as {@link findRepository} */
export async function findRepositoryById(deps: { readonly db: Reader }, id: number, actor: Actor): Promise<RepositorySubject> {
  const located = (await locateRepositoriesById(deps.db, [id], actorIdOf(actor))).get(id);
  const subject = located && toSubject(located, actor);
  if (subject === undefined || !atLeast(subject.right.mode, "read")) throw notFound();
  return subject;
}

/** The full names, by id, of those repositories that an actor can read. One statement. */
export async function readableNames(deps: { readonly db: Reader }, actor: Actor, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const located = await locateRepositoriesById(deps.db, ids, actorIdOf(actor));
  const subjects = [...located.values()].map((one) => toSubject(one, actor));
  return new Map(subjects.filter(({ right }) => atLeast(right.mode, "read")).map(({ id, fullName }) => [id, fullName]));
}

/** Repositories by their present names that a caller can read, by `owner/name` in lower case; others are omitted. One statement for any number. */
export async function findRepositoriesNamed(
  deps: { readonly db: Reader },
  names: readonly (readonly [owner: string, name: string])[],
  actor: Actor,
): Promise<ReadonlyMap<string, RepositorySubject>> {
  const located = await locateRepositoriesByNames(deps.db, names, actorIdOf(actor));
  const subjects = located.map((one) => toSubject(one, actor)).filter(({ right }) => atLeast(right.mode, "read"));
  return new Map(subjects.map((subject) => [subject.fullName.toLowerCase(), subject]));
}

/** Repositories by id that a caller can read; others are omitted. One statement for any number. */
export async function findRepositoriesById(
  deps: { readonly db: Reader },
  ids: readonly number[],
  actor: Actor,
): Promise<ReadonlyMap<number, RepositorySubject>> {
  const located = await locateRepositoriesById(deps.db, [...new Set(ids)], actorIdOf(actor));
  const subjects = [...located.values()].map((one) => toSubject(one, actor)).filter(({ right }) => atLeast(right.mode, "read"));
  return new Map(subjects.map((subject) => [subject.id, subject]));
}
