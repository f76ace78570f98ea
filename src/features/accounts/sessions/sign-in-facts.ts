import type { SessionFacts } from "./view.ts";

/** Where a sign-in comes from, of its request. */
export const signInFacts = ({
  headers,
  remoteAddress,
}: {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly remoteAddress: string;
}): SessionFacts => ({ address: remoteAddress, userAgent: typeof headers["user-agent"] === "string" ? headers["user-agent"] : "" });
