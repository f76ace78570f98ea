import { notFound } from "../../../../core/errors.ts";
import type { Reader } from "../../../../db/db.ts";
import type { PasswordKeeper } from "../model.ts";
import { findPasswordState } from "../store/credentials.ts";

/** Whether a user has a password, here or in a directory. One statement. */
export const hasPassword = async (deps: { readonly db: Reader }, { id }: { readonly id: number }): Promise<boolean> =>
  (await findPasswordKeeper(deps, id)) !== "none";

/** Where the password of an account is stored. One statement. */
export async function findPasswordKeeper(deps: { readonly db: Reader }, accountId: number): Promise<PasswordKeeper> {
  const state = await findPasswordState(deps.db, accountId);
  if (state === undefined) throw notFound();
  if (state.sourceKind === "ldap") return "directory";
  return state.hasHash ? "here" : "none";
}
