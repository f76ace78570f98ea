import { hash } from "node:crypto";
import type { PreparedReply } from "./answers.ts";
import { isFresh } from "./file-answer.ts";
import type { Route } from "./route.ts";

export interface PageRequest {
  readonly route: Pick<Route, "method" | "isPage" | "isOpen">;
  /** The request carries no credentials. */
  readonly isVisitor: boolean;
  readonly ifNoneMatch: string | undefined;
}

/**
 * Lets browsers of anonymous visitors cache a complete page, if they revalidate it on each use.
 * The tag is a digest of the response including its headers, so it does not depend on what a page consists of. Sign-in pages, whose URLs
 * carry codes, and pages of signed-in users are not cached.
 */
export function versionPage(reply: PreparedReply, { route, isVisitor, ifNoneMatch }: PageRequest): PreparedReply {
  const { status, headers, body } = reply;
  const isKept = route.isPage && !route.isOpen && route.method === "GET" && isVisitor && status === 200 && typeof body === "string";
  if (!isKept || headers["set-cookie"] !== undefined) return reply;
  const tag = hash("sha256", JSON.stringify(headers) + body, "base64url").slice(0, 22);
  // Weak, because the page is compressed for some clients (RFC 9110, 8.8.1).
  const about = { etag: `W/"${tag}"`, "cache-control": "private, no-cache", vary: "Accept-Encoding, Accept-Language, Cookie" };
  return isFresh(ifNoneMatch, tag) ? { status: 304, headers: about, body: undefined } : { status, headers: { ...headers, ...about }, body };
}
