import { type ForgeError, isForgeError, malformed } from "../../../../core/errors.ts";
import type { RemoteFailure } from "../../../../core/failures.ts";
import type { Sealer } from "../../../../core/sealer.ts";
import type { Reader } from "../../../../db/db.ts";
import { isTrial } from "../../../../db/trial.ts";
import { type OutgoingClient, OutgoingError } from "../../../../outgoing/client.ts";
import { type GitAddress, type RemoteCredentials, readGitAddress } from "../../../../outgoing/git-address.ts";
import { RemoteError } from "../../../../outgoing/git-connection.ts";
import type { SealedRemote } from "../model.ts";

export interface RemoteDeps {
  /** Calls only hosts from which repositories may be fetched. */
  readonly remotes: OutgoingClient;
  readonly sealer: Sealer;
}

/** Credentials are sealed for one address, so a manipulated row cannot send them elsewhere. */
const purposeOf = (address: string): string => `remote ${address}`;

export function sealRemote({ sealer }: Pick<RemoteDeps, "sealer">, { url, credentials }: GitAddress): SealedRemote {
  const address = url.href;
  return { address, credentials: credentials === undefined ? null : sealer.seal(purposeOf(address), JSON.stringify(credentials)) };
}

/** @throws RemoteError for credentials that were sealed with another key */
export function openSealed({ sealer }: Pick<RemoteDeps, "sealer">, { address, credentials }: SealedRemote): GitAddress {
  const text = credentials === null ? undefined : sealer.open(purposeOf(address), credentials);
  if (credentials !== null && text === undefined)
    throw new RemoteError("its credentials were sealed with another key: set them again", { reason: "authentication" });
  const read = readGitAddress(address, text === undefined ? undefined : (JSON.parse(text) as RemoteCredentials));
  if (typeof read === "string") throw new RemoteError("its address can no longer be used", { reason: "protocol" });
  return read;
}

/** A failure for the user who configured the remote, without credentials. */
export interface ReportedFailure {
  readonly message: string;
  readonly failure: RemoteFailure;
}

/** @returns undefined for errors that the remote did not cause */
export function remoteFailure(error: unknown): ReportedFailure | undefined {
  if (error instanceof OutgoingError || error instanceof RemoteError) return { message: error.message, failure: error.reason };
  return isForgeError(error) && isPackFault(error) ? { message: error.message, failure: "contents" } : undefined;
}

/** The received pack was rejected: malformed, violating fsck rules, or too large. */
const isPackFault = ({ code }: ForgeError): boolean => code === "malformed" || code === "invalid" || code === "too_large";

/** @throws ForgeError `malformed` during a trial */
export async function requireNoTrial(db: Reader): Promise<void> {
  if (await isTrial(db)) throw malformed("mirrors wait until an administrator ends the trial of this server", { reason: "server_trial" });
}

const minuteMs = 60_000;
/** A slower synchronization blocks others; it is aborted and retried. */
export const syncLimits = { exchangeMs: 60 * minuteMs } as const;
const dayMs = 86_400_000;

/** Exponential backoff with jitter for failed mirrors. */
export const retryAfterMs = (failures: number, chance = Math.random()): number =>
  Math.round(Math.min(dayMs, 5 * minuteMs * 2 ** Math.min(failures, 20)) * (0.75 + chance / 2));
