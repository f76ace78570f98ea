import { type Foreign, textIn, timeIn } from "../foreign-json.ts";
import type { ForeignAuthor, ForeignComment, ForeignIssue, ForeignReaction } from "../tracker.ts";
import { requireFew } from "./foreign-server.ts";
import { authorOf } from "./gitea-issues.ts";
import { inTurns } from "./gitea-pulls.ts";

/** What may have been reacted to. */
export interface Reactable {
  readonly issueNumber: number;
  readonly commentId: number | null;
  /** Of its reactions. */
  readonly path: string;
}

export interface ReactionReader {
  readonly list: (path: string) => Promise<readonly Foreign[]>;
  /** What it is called here; empty for what is not known here. */
  readonly contentOf: (of: Foreign) => string;
  readonly authorOf: (of: Foreign) => ForeignAuthor;
}

/**
 * Asks for the reactions to each, a few at once: no list has those of many. Whoever reacts twice with the same has done so once.
 * @throws RemoteError for more in all than any server is asked for
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

/** Gitea and GitHub have them in the same places, under the names that they have here. */
export const namedReactions = (list: ReactionReader["list"]): ReactionReader => ({ list, contentOf: (of) => textIn(of, "content", 20), authorOf });

export const reactablesIn = (
  issues: readonly Pick<ForeignIssue, "number">[],
  comments: readonly Pick<ForeignComment, "id" | "issueNumber">[],
): readonly Reactable[] => [
  ...issues.map(({ number }) => ({ issueNumber: number, commentId: null, path: `/issues/${number}/reactions` })),
  ...comments.map(({ id, issueNumber }) => ({ issueNumber, commentId: id, path: `/issues/comments/${id}/reactions` })),
];
