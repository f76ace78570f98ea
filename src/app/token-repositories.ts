import { invalid, isForgeError } from "../core/errors.ts";
import type { Reader } from "../db/db.ts";
import type { TokenRepositories } from "../features/accounts/users/service/tokens.ts";
import { findRepository, findRepositoryById, readableNames } from "../features/repositories/repos/service/find.ts";

/** Resolves the repositories of a token, given as ids or full names, among those that the caller can read. */
export function createTokenRepositories(context: { readonly db: Reader }): TokenRepositories {
  const resolveOne: (...given: [Parameters<TokenRepositories["resolve"]>[0], string]) => Promise<number> = async (actor, named) => {
    const [owner = "", name = "", ...rest] = named.split("/");
    try {
      if (/^\d{1,15}$/.test(named)) return (await findRepositoryById(context, Number(named), actor)).id;
      if (rest.length > 0) throw missing(named);
      const found = await findRepository(context, owner, name, actor);
      return "subject" in found ? found.subject.id : await resolveOne(actor, found.movedTo);
    } catch (error) {
      throw isForgeError(error, "not_found") ? missing(named) : error;
    }
  };
  return {
    resolve: (actor, named) => Promise.all(named.map((one) => resolveOne(actor, one))),
    names: (actor, ids) => readableNames(context, actor, ids),
  };
}

const missing = (named: string) => invalid(`[Repositories]: repository ${named} does not exist`);
