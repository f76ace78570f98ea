import { type Actor, isSelf, isUser } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { canCommentOn, canWriteIssue, editsComment } from "../../issues/rights.ts";
import type { PullView } from "../../pulls/model.ts";
import type { PullDeps } from "../../pulls/service/deps.ts";
import { findPushableHead } from "../../pulls/service/update.ts";
import type { Thread, ThreadComment } from "../model.ts";
import { partsOf } from "../suggestions.ts";

export interface TalkRights {
  readonly canTalk: boolean;
  readonly canResolve: boolean;
  /** Whether the reader can apply suggestions. */
  readonly canApply: boolean;
}

export const isPosterOf = (actor: Actor, { issue }: PullView): boolean => issue.posterId !== null && isSelf(actor, issue.posterId);

/** Rights of a reader in the conversations of a pull request. @param hasThreads whether there are any */
export async function talkRights(
  deps: Pick<PullDeps, "db">,
  actor: Actor,
  repository: RepositorySubject,
  pull: PullView,
  hasThreads: boolean,
): Promise<TalkRights> {
  const canTalk = isUser(actor) && !repository.isArchived && canCommentOn(repository, pull.issue);
  const canApply = isUser(actor) && !pull.isClosed && hasThreads && (await findPushableHead(deps, actor, repository, pull)) !== undefined;
  return { canTalk, canResolve: canTalk && (isPosterOf(actor, pull) || canWriteIssue(repository, pull.issue)), canApply };
}

/** Edit addresses of comments that the reader can change. @param pathOf by comment id */
export const editPaths =
  (actor: Actor, repository: RepositorySubject, { issue }: PullView, pathOf: (commentId: number) => string) =>
  ({ id, posterId }: ThreadComment): string | undefined =>
    !repository.isArchived && editsComment(actor, repository, { posterId, issue }) ? pathOf(id) : undefined;

/** Texts of comments without their suggestions. */
export const writtenIn = (threads: readonly Thread[]): readonly string[] =>
  threads.flatMap(({ comments }) => comments.flatMap(({ content }) => partsOf(content))).flatMap((part) => (part.kind === "text" ? part.text : []));
