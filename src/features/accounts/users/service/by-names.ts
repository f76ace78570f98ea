import { foldName } from "../../../../core/names.ts";
import type { Reader } from "../../../../db/db.ts";
import type { UserView } from "../model.ts";
import { loadUsersByName } from "../store/accounts.ts";

/** Users, not organizations, by current name, without a visibility check. The keys are the names as given. One statement. */
export async function findUsersByNames(deps: { readonly db: Reader }, names: readonly string[]): Promise<(name: string) => UserView | undefined> {
  const users = await loadUsersByName(deps.db, [...new Set(names.map(foldName))]);
  return (name) => users.get(foldName(name));
}
