import type { GitStore } from "../../../../git/stores.ts";
import type { LineLocation } from "../model.ts";
import type { ConversationLocation } from "../store/comments.ts";
import { createLineFollower } from "./follow-lines.ts";
import { type PullEnds, shownOid } from "./pull-ends.ts";

/** The conversation of comments on the same line. */
export type Conversation = Pick<ConversationLocation, "threadId" | "resolverId">;

const keyOf = ({ path, side, line }: LineLocation): string => `${side} ${line} ${path}`;

/** Finds the conversation at the current position of each line; undefined: none. Does not follow conversations on other files. */
export async function conversationsAt(
  store: GitStore,
  ends: PullEnds,
  places: readonly LineLocation[],
  known: readonly ConversationLocation[],
): Promise<readonly (Conversation | undefined)[]> {
  const follower = createLineFollower(store);
  const paths = new Set(places.map(({ path }) => path));
  const found = new Map<string, Conversation>();
  for (const conversation of known) {
    const { path, side, line, writtenOid: fromOid } = conversation;
    const toOid = shownOid(ends, side);
    const present = await follower.pathIn({ fromOid, toOid }, path);
    if (present === undefined || !paths.has(present)) continue;
    const followed = fromOid === toOid ? { path, line } : await follower.follow({ fromOid, toOid }, { path, line });
    const key = followed && keyOf({ ...followed, side });
    if (key !== undefined && !found.has(key)) found.set(key, conversation);
  }
  return places.map((place) => found.get(keyOf(place)));
}
