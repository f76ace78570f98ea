import type { Actor } from "../../../../access/actor.ts";
import { foldName } from "../../../../core/names.ts";
import type { Reader } from "../../../../db/db.ts";
import { loadMentioned } from "../store/mentions.ts";
import { isVisibleTo } from "./accounts.ts";

/** Which of some names belong to accounts that the caller can see. One statement for all of them. */
export async function findVisibleNames(deps: { readonly db: Reader }, actor: Actor, names: Iterable<string>): Promise<(name: string) => boolean> {
  const accounts = await loadMentioned(deps.db, [...new Set([...names].map(foldName))]);
  const visible = new Set(accounts.filter((account) => isVisibleTo(account, actor)).map(({ nameFolded }) => nameFolded));
  return (name) => visible.has(foldName(name));
}
