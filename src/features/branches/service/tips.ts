import { unavailable } from "../../../core/errors.ts";
import type { Urls } from "../../../core/urls.ts";
import type { Reader } from "../../../db/db.ts";
import { readCommits } from "../../../git/objects.ts";
import type { GitStore } from "../../../git/stores.ts";
import type { Oid } from "../../../git/types.ts";
import { findPeople } from "../../users/service/people.ts";
import type { TipView } from "../view.ts";

/** Commits with the names of their people, in the order of `oids`: one batch of objects, one statement. */
export async function loadTips(deps: { readonly db: Reader; readonly urls: Pick<Urls, "host"> }, store: GitStore, oids: readonly Oid[]): Promise<TipView[]> {
  const commits = await readCommits(store, oids);
  const known = commits.filter((commit) => commit !== undefined);
  const people = await findPeople(
    deps,
    known.flatMap(({ author, committer }) => [author.email, committer.email]),
  );
  return commits.map((commit, index) => {
    // Every ref leads to an object that was durable before the ref was: this is damage.
    if (commit === undefined) throw unavailable("a commit of the repository cannot be read", { meta: { storeId: store.id, oid: oids[index] } });
    return {
      commit,
      authorUsername: people.byEmail(commit.author.email)?.name ?? "",
      committerUsername: people.byEmail(commit.committer.email)?.name ?? "",
    };
  });
}
