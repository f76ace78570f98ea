import type { Actor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { Reader } from "../../../../db/db.ts";
import type { Commit } from "../../../../git/types.ts";
import { isVisibleTo } from "../../../accounts/users/service/accounts.ts";
import { findPeople } from "../../../accounts/users/service/people.ts";
import { stateOfCommit } from "../../statuses/service.ts";
import type { ShownCommit } from "../model.ts";

export interface ShownCommitDeps {
  readonly db: Reader;
  readonly urls: Pick<Urls, "host">;
}

/** A commit with its author's account and the state of its checks. Two statements. */
export async function showCommit(deps: ShownCommitDeps, actor: Actor, repository: RepositorySubject, commit: Commit): Promise<ShownCommit> {
  const [people, checks] = await Promise.all([findPeople(deps, [commit.author.email]), stateOfCommit(deps.db, repository.id, commit.oid)]);
  const author = people.byEmail(commit.author.email);
  return { commit, author: author !== undefined && isVisibleTo(author, actor) ? author : undefined, checks };
}
