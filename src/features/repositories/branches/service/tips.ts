import type { Actor } from "../../../../access/actor.ts";
import { unavailable } from "../../../../core/errors.ts";
import { readCommits } from "../../../../git/objects/objects.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Oid } from "../../../../git/types.ts";
import { findPeople } from "../../../accounts/users/service/people.ts";
import type { TipView } from "../model.ts";
import type { BranchDeps } from "./deps.ts";

/**
 * Commits with the usernames of author and committer and their signature verdicts, in the order of `oids`. One batch of objects, one
 * statement, two more if some commits are signed.
 */
export async function loadTips(deps: Pick<BranchDeps, "db" | "urls" | "signatures">, actor: Actor, store: GitStore, oids: readonly Oid[]): Promise<TipView[]> {
  const commits = await readCommits(store, oids);
  const known = commits.filter((commit) => commit !== undefined);
  const people = await findPeople(
    deps,
    known.flatMap(({ author, committer }) => [author.email, committer.email]),
  );
  const verdicts = await deps.signatures.verify(
    actor,
    known.map((commit) => ({ object: commit, email: commit.committer.email })),
    people,
  );
  return commits.map((commit, index) => {
    // A ref is only written once its object is durable, so a missing object means damage.
    if (commit === undefined) throw unavailable("a commit of the repository cannot be read", { meta: { storeId: store.id, oid: oids[index] } });
    return {
      commit,
      verdict: verdicts.get(commit.oid),
      authorUsername: people.byEmail(commit.author.email)?.name ?? "",
      committerUsername: people.byEmail(commit.committer.email)?.name ?? "",
    };
  });
}
