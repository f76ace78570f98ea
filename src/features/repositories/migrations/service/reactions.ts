import { type Foreign, textIn, timeIn } from "../foreign-json.ts";
import type { ForeignAuthor, ForeignComment, ForeignIssue, ForeignReaction } from "../tracker.ts";
import { requireFew } from "./foreign-server.ts";
import { authorOf } from "./gitea-issues.ts";
import { inTurns } from "./gitea-pulls.ts";

/** An item that can have reactions. */
export interface Reactable {
  readonly issueNumber: number;
  readonly commentId: number | null;
  /** API path of its reactions. */
  readonly path: string;
}

export interface ReactionReader {
  readonly list: (path: string) => Promise<readonly Foreign[]>;
  /** The reaction's name here; empty if it is not supported. */
  readonly contentOf: (of: Foreign) => string;
  readonly authorOf: (of: Foreign) => ForeignAuthor;
}

/**
 * Requests the reactions to each item, with limited concurrency, because no list includes them. Duplicate reactions of a user are removed.
 * @throws RemoteError if the total exceeds the limit
 */
export function readReactions(reader: ReactionReader, reactables: readonly Reactable[]): Promise<readonly ForeignReaction[]> {
  let count = 0;
  return inTurns(reactables, async ({ issueNumber, commentId, path }) => {
    const given = new Map<string, ForeignReaction>();
    const found = await reader.list(path);
    count += requireFew(count, found).length;
    for (const of of found) {
      const [content, author] = [reader.contentOf(of), reader.authorOf(of)];
      if (content !== "")
        given.set(`${author.id} ${author.name} ${content}`, { issueNumber, commentId, content, author, createdMs: timeIn(of, "created_at") ?? 0 });
    }
    return [...given.values()];
  });
}

/** Gitea and GitHub use the same paths and the same names as this server. */
export const namedReactions = (list: ReactionReader["list"]): ReactionReader => ({ list, contentOf: (of) => textIn(of, "content", 20), authorOf });

export const reactablesIn = (
  issues: readonly Pick<ForeignIssue, "number">[],
  comments: readonly Pick<ForeignComment, "id" | "issueNumber">[],
): readonly Reactable[] => [
  ...issues.map(({ number }) => ({ issueNumber: number, commentId: null, path: `/issues/${number}/reactions` })),
  ...comments.map(({ id, issueNumber }) => ({ issueNumber, commentId: id, path: `/issues/comments/${id}/reactions` })),
];
