import type { SessionDetails } from "./model.ts";

/** Where a sign-in comes from, of its request. */
export const signInFacts = ({
  headers,
  remoteAddress,
}: {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly remoteAddress: string;
}): SessionDetails => ({ address: remoteAddress, userAgent: typeof headers["user-agent"] === "string" ? headers["user-agent"] : "" });
