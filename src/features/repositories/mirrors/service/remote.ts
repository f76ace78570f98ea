import { type ForgeError, isForgeError } from "../../../../core/errors.ts";
import type { Sealer } from "../../../../core/sealer.ts";
import { type OutgoingClient, OutgoingError } from "../../../../outgoing/client.ts";
import { type GitAddress, type RemoteCredentials, readGitAddress } from "../../../../outgoing/git-address.ts";
import { RemoteError } from "../../../../outgoing/git-connection.ts";
import type { SealedRemote } from "../model.ts";

export interface RemoteDeps {
  /** Calls the hosts that repositories may be fetched from. */
  readonly remotes: OutgoingClient;
  readonly sealer: Sealer;
}

/** What is sealed for one address opens for no other: a changed row cannot send a password elsewhere. */
const purposeOf = (address: string): string => `remote ${address}`;

export function sealRemote({ sealer }: Pick<RemoteDeps, "sealer">, { url, credentials }: GitAddress): SealedRemote {
  const address = url.href;
  return { address, credentials: credentials === undefined ? null : sealer.seal(purposeOf(address), JSON.stringify(credentials)) };
}

/** @throws RemoteError for credentials that this server's key does not open */
export function openSealed({ sealer }: Pick<RemoteDeps, "sealer">, { address, credentials }: SealedRemote): GitAddress {
  const text = credentials === null ? undefined : sealer.open(purposeOf(address), credentials);
  if (credentials !== null && text === undefined)
    throw new RemoteError("the credentials for it were sealed with another key: set them again", { reason: "authentication" });
  const read = readGitAddress(address, text === undefined ? undefined : (JSON.parse(text) as RemoteCredentials));
  if (typeof read === "string") throw new RemoteError("its address can no longer be used", { reason: "protocol" });
  return read;
}

/**
 * Why a remote could not be used, in words for whoever named it; they hold no credentials.
 * @returns undefined for what is no remote's fault
 */
export function remoteFailure(error: unknown): string | undefined {
  if (error instanceof OutgoingError || error instanceof RemoteError) return error.message;
  return isForgeError(error) && isPackFault(error) ? error.message : undefined;
}

/** What was sent could not be taken: no pack, rules of fsck that it breaks, more than is taken here. */
const isPackFault = ({ code }: ForgeError): boolean => code === "malformed" || code === "invalid" || code === "too_large";

const minuteMs = 60_000;
/** One that is slower than this holds up the others, and is tried again. */
export const syncLimits = { exchangeMs: 60 * minuteMs } as const;
const dayMs = 86_400_000;

/** When a failed mirror is tried again: later each time, and never many at the same moment. */
export const retryAfterMs = (failures: number, chance = Math.random()): number =>
  Math.round(Math.min(dayMs, 5 * minuteMs * 2 ** Math.min(failures, 20)) * (0.75 + chance / 2));
