import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { type Answer, answerWithin } from "../../issues/conversation/service/comment-and-set-state.ts";
import type { PullDeps } from "./deps.ts";
import { reopenHead } from "./edit.ts";
import { findPull } from "./find.ts";

/**
 * Comments on a pull request and closes or reopens it, in one transaction.
 * @returns the id of the comment, if any
 * @throws ForgeError as `answerIssue`; `conflict` for reopening while another one is open for the same branches
 */
export async function answerPull(
  deps: Pick<PullDeps, "db">,
  actor: UserActor,
  repository: RepositorySubject,
  number: string,
  answer: Answer,
): Promise<number | undefined> {
  return deps.db.tx(async (tx) => {
    const pull = await findPull({ db: tx }, repository, number);
    const commentId = await answerWithin(tx, actor, repository, number, answer);
    if (pull.isClosed && answer.isClosed === false) await reopenHead(tx, pull, repository);
    return commentId;
  });
}
