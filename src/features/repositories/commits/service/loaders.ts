import type { Actor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { unavailable } from "../../../../core/errors.ts";
import type { Log } from "../../../../core/log.ts";
import { readCommits } from "../../../../git/objects/objects.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Commit, Oid } from "../../../../git/types.ts";
import type { UserView } from "../../../accounts/users/model.ts";
import { isVisibleTo } from "../../../accounts/users/service/accounts.ts";
import { findPeople } from "../../../accounts/users/service/people.ts";
import { type BranchDeps, codeStore } from "../../branches/service/deps.ts";
import type { CommitDetail, CommitView } from "../model.ts";
import { loadChanges } from "./changes.ts";

export interface CommitDeps extends BranchDeps {
  readonly log: Log;
}

/** A request about a repository's history. */
export interface Viewing {
  readonly actor: Actor;
  readonly repository: RepositorySubject;
  readonly detail: CommitDetail;
  readonly signal?: AbortSignal | undefined;
}

/** Loads the requested details of commits, in the given order. A constant number of statements, and at most one process. */
export async function viewCommits(deps: CommitDeps, { actor, repository, detail, signal }: Viewing, commits: readonly Commit[]): Promise<CommitView[]> {
  if (commits.length === 0) return [];
  const people = await findPeople(
    deps,
    commits.flatMap(({ author, committer }) => [author.email, committer.email]),
  );
  const visible = (email: string): UserView | undefined => {
    const user = people.byEmail(email);
    return user !== undefined && isVisibleTo(user, actor) ? user : undefined;
  };
  const isChangeShown = detail.stats || detail.files;
  const changes = isChangeShown ? await loadChanges(deps, codeStore(deps, repository), commits, signal) : undefined;
  const claims = detail.verification ? commits.map((commit) => ({ object: commit, email: commit.committer.email })) : [];
  const verdicts = await deps.signatures.verify(actor, claims, people);
  return commits.map((commit) => ({
    commit,
    verdict: verdicts.get(commit.oid),
    author: visible(commit.author.email),
    committer: visible(commit.committer.email),
    changes: changes?.get(commit.oid),
  }));
}

/** Reads commits that git returned. @throws ForgeError `unavailable` for a missing one, which means damage */
export async function requireCommits(store: GitStore, oids: readonly Oid[]): Promise<Commit[]> {
  const commits = await readCommits(store, oids);
  return commits.map((commit, index) => {
    if (commit === undefined) throw unavailable("a commit of the repository cannot be read", { meta: { storeId: store.id, oid: oids[index] } });
    return commit;
  });
}
