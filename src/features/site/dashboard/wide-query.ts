import { readTypedQuery, type TypedQuery } from "../../collaboration/issues/search/query-language.ts";

/** A parsed search across repositories. */
export interface WideQuery extends Omit<TypedQuery, "assignee" | "mentions"> {
  readonly owner: string;
  readonly isOwn: boolean;
  readonly isAssigned: boolean;
  readonly isMentioned: boolean;
  readonly isRequested: boolean;
  readonly isReviewed: boolean;
  /** Asks about another user's review requests or mentions, which are not shown: the result is empty. */
  readonly asksForAnother: boolean;
}

/** Filters that the search within a repository does not have. */
const own = /(?<!\S)(owner|review-requested|reviewed-by):(\S+)/gi;

/** Parses `is:open review-requested:@me owner:ada crash`. `@me` is the caller. */
export function readWideQuery(typed: string, selfName: string): WideQuery {
  const given = new Map<string, string>();
  const rest = typed.replace(own, (_, key: string, value: string) => {
    given.set(key.toLowerCase(), value);
    return "";
  });
  const { assignee, mentions, author, ...query } = readTypedQuery(rest);
  const isSelf = (name: string): boolean => name === "@me" || name.toLowerCase() === selfName.toLowerCase();
  const personal = [assignee, mentions, given.get("review-requested") ?? "", given.get("reviewed-by") ?? ""];
  const [isAssigned = false, isMentioned = false, isRequested = false, isReviewed = false] = personal.map(isSelf);
  return {
    ...query,
    author: isSelf(author) ? "" : author,
    owner: isSelf(given.get("owner") ?? "") ? selfName : (given.get("owner") ?? ""),
    isOwn: isSelf(author),
    isAssigned,
    isMentioned,
    isRequested,
    isReviewed,
    asksForAnother: personal.some((name) => name !== "" && !isSelf(name)),
  };
}
