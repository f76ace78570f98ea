import type { Sealer } from "../../../../core/sealer.ts";
import { isLfsOperation, type LfsOperation } from "../model.ts";

/** A token issued over SSH for HTTP requests: one operation on the LFS objects of one repository, limited to the key's permissions. */
export interface LfsToken {
  readonly keyId: number;
  readonly repoId: number;
  readonly operation: LfsOperation;
  readonly expiresMs: number;
}

/** The scheme of the Authorization header. It is not `Bearer`, so no other endpoint takes the token for an access token. */
export const passScheme = "RemoteAuth";
export const lfsTokenValidMs = 30 * 60_000;
const purpose = "lfs pass";

/** The value of an Authorization header. */
export const makeLfsToken = (sealer: Sealer, pass: LfsToken): string =>
  `${passScheme} ${sealer.seal(purpose, JSON.stringify([pass.keyId, pass.repoId, pass.operation, pass.expiresMs]))}`;

/** @returns undefined for anything but an unexpired token of this server */
export function readLfsToken(sealer: Sealer, authorization: string | undefined, now: number): LfsToken | undefined {
  const text = /^RemoteAuth ([\w.-]{1,1000})$/.exec(authorization ?? "")?.[1];
  const opened = text === undefined ? undefined : sealer.open(purpose, text);
  if (opened === undefined) return undefined;
  const [keyId, repoId, operation, expiresMs] = JSON.parse(opened) as readonly [number, number, unknown, number];
  return isLfsOperation(operation) && expiresMs > now ? { keyId, repoId, operation, expiresMs } : undefined;
}

/** Whether a header has the form of an LFS token, valid or not. */
export const looksLikeLfsToken = (authorization: string | undefined): boolean => authorization?.startsWith(`${passScheme} `) === true;
