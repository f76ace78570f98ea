import { hash } from "node:crypto";
import type { PreparedReply } from "./answers.ts";
import { isFresh } from "./file-answer.ts";
import type { Route } from "./route.ts";

export interface PageAsked {
  readonly route: Pick<Route, "method" | "isPage" | "isOpen">;
  /** Nothing of the request tells who asks. */
  readonly isVisitor: boolean;
  readonly ifNoneMatch: string | undefined;
}

/**
 * Lets a visitor's browser keep a page that was made whole, as long as it asks each time whether it is still the same: then it is not sent again.
 * The tag is of what is written, headers included, so nobody has to know what a page is made of. Pages on which people sign in, whose addresses
 * carry codes, are kept by nobody, nor are those of people who have signed in.
 */
export function versionPage(reply: PreparedReply, { route, isVisitor, ifNoneMatch }: PageAsked): PreparedReply {
  const { status, headers, body } = reply;
  const isKept = route.isPage && !route.isOpen && route.method === "GET" && isVisitor && status === 200 && typeof body === "string";
  if (!isKept || headers["set-cookie"] !== undefined) return reply;
  const tag = hash("sha256", JSON.stringify(headers) + body, "base64url").slice(0, 22);
  // Weak: compressed on the way it is the same page (RFC 9110, 8.8.1).
  const about = { etag: `W/"${tag}"`, "cache-control": "private, no-cache", vary: "Accept-Language, Cookie" };
  return isFresh(ifNoneMatch, tag) ? { status: 304, headers: about, body: undefined } : { status, headers: { ...headers, ...about }, body };
}
