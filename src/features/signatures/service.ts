import type { Actor } from "../../access/actor.ts";
import type { Urls } from "../../core/urls.ts";
import type { Reader } from "../../db/db.ts";
import type { Commit } from "../../git/types.ts";
import { isVisibleTo } from "../users/service/accounts.ts";
import { findPeople } from "../users/service/people.ts";
import type { UserView } from "../users/view.ts";
import { verify } from "./verification.ts";
import type { SignedCommit } from "./view.ts";

export interface SignatureDeps {
  readonly db: Reader;
  readonly urls: Pick<Urls, "host">;
}

/** Who made these commits, in their order. One statement whatever their number, a second one where hidden addresses are among them. */
export async function describeCommits(deps: SignatureDeps, actor: Actor, commits: readonly Commit[]): Promise<SignedCommit[]> {
  const people = await findPeople(
    deps,
    commits.flatMap(({ author, committer }) => [author.email, committer.email]),
  );
  const visible = (email: string): UserView | undefined => {
    const user = people.byEmail(email);
    return user !== undefined && isVisibleTo(user, actor) ? user : undefined;
  };
  return commits.map((commit) => ({
    commit,
    author: visible(commit.author.email),
    committer: visible(commit.committer.email),
    verification: verify(commit),
  }));
}
