import type { Actor } from "../../../../access/actor.ts";
import { atLeast } from "../../../../access/repository.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Reader } from "../../../../db/db.ts";
import { locateReadable, type ReadableFilter } from "../store/readable.ts";
import { actorIdOf, toSubject } from "./find.ts";

/** All repositories that a caller can read and that match a filter, with their permissions: for lists across repositories. One statement. */
export async function listReadable(deps: { readonly db: Reader }, actor: Actor, filter: ReadableFilter): Promise<readonly RepositorySubject[]> {
  const located = await locateReadable(deps.db, actor, actorIdOf(actor), filter);
  return located.map((one) => toSubject(one, actor)).filter(({ right }) => atLeast(right.mode, "read"));
}
