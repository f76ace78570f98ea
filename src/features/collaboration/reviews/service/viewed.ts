import { createHash } from "node:crypto";
import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { invalid } from "../../../../core/errors.ts";
import type { Db } from "../../../../db/db.ts";
import type { ChangedFile } from "../../../../git/history/diff-parse.ts";
import { findPull } from "../../pulls/service/find.ts";
import { deleteViewed, insertViewed, listViewed } from "../store/viewed.ts";

/** Key that changes when a viewed file changes. */
export const viewedKeyOf = ({ path, newMode, newOid, oldOid }: ChangedFile): string =>
  createHash("sha256")
    .update([path, newMode ?? "removed", newOid ?? oldOid ?? ""].join("\0"))
    .digest("hex");

/** Maximum number of viewed marks per user and pull request. */
const maxViewed = 10_000;

/** Marks a file as viewed, or removes the mark. @throws ForgeError `not_found`, `invalid` */
export async function setViewed(
  deps: { readonly db: Db },
  actor: UserActor,
  repository: RepositorySubject,
  number: string,
  { key, isViewed }: { readonly key: string; readonly isViewed: boolean },
): Promise<void> {
  if (!/^[0-9a-f]{64}$/.test(key)) throw invalid("no such file in the changes", { reason: "changed_meanwhile" });
  await deps.db.tx(async (tx) => {
    const { issueId } = await findPull({ db: tx }, repository, number);
    const viewing = { accountId: actor.id, issueId };
    if (!isViewed) return deleteViewed(tx, viewing, key);
    if ((await listViewed(tx, viewing)).length >= maxViewed)
      throw invalid("too many files are marked as viewed", { reason: { code: "too_many_items", max: maxViewed } });
    return insertViewed(tx, viewing, key);
  });
}
