import type { SessionDetails } from "./model.ts";

/** The details of a sign-in, from its request. */
export const signInProps = ({
  headers,
  remoteAddress,
}: {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly remoteAddress: string;
}): SessionDetails => ({ address: remoteAddress, userAgent: typeof headers["user-agent"] === "string" ? headers["user-agent"] : "" });
