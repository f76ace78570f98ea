import { foldEmail, isValidEmail } from "../../../../core/names.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { Reader } from "../../../../db/db.ts";
import { userIdOfNoreply } from "../git-identity.ts";
import type { UserView } from "../model.ts";
import { loadUsersByEmail, loadUserViews } from "../store/accounts.ts";

/** The users of the addresses in commits and tags. */
export interface People {
  /** Undefined if the address belongs to no user. */
  byEmail(email: string): UserView | undefined;
}

/** Finds users by addresses from git, in any number: verified ones and noreply ones. One statement, plus one if there are noreply addresses. */
export async function findPeople(deps: { readonly db: Reader; readonly urls: Pick<Urls, "host"> }, emails: Iterable<string>): Promise<People> {
  const ids = new Map<string, number>();
  const others = new Set<string>();
  for (const email of emails) {
    const id = userIdOfNoreply(email, deps.urls);
    if (id !== undefined) ids.set(foldEmail(email), id);
    else if (isValidEmail(email)) others.add(email);
  }
  const [known, hidden] = await Promise.all([loadUsersByEmail(deps.db, [...others]), loadUserViews(deps.db, [...ids.values()])]);
  return {
    byEmail(email) {
      const folded = foldEmail(email);
      const id = ids.get(folded);
      const user = id === undefined ? known.get(folded) : hidden.get(id);
      return user?.kind === "user" ? user : undefined;
    },
  };
}
