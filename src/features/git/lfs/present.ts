import { formatTime } from "../../../core/time.ts";
import type { LfsLock, LfsObject, LfsOperation } from "./model.ts";
import { lfsType } from "./protocol.ts";

/** The address of a repository's LFS objects, and the headers that a client must send there. */
export interface LfsLocation {
  /** `https://host/owner/name.git/info/lfs`. */
  readonly base: string;
  /** The Authorization header of the request, returned so that the client sends it again. */
  readonly authorization: string | undefined;
}

export interface BatchObject {
  readonly oid: string;
  readonly sizeBytes: number;
  readonly isValid: boolean;
  readonly isTooLarge: boolean;
  /** The stored object of the repository. */
  readonly stored: LfsObject | undefined;
}

/** An object of a batch response (wire facts 6.3). An upload of an existing object needs no action. */
export function presentBatchObject(location: LfsLocation, operation: LfsOperation, object: BatchObject): object {
  const { oid, sizeBytes, stored } = object;
  const pointer = { oid, size: sizeBytes };
  const refused = (code: number, message: string) => ({ ...pointer, error: { code, message } });
  if (!object.isValid) return refused(422, "an object needs its SHA-256 as oid and its size");
  if (stored !== undefined && stored.sizeBytes !== sizeBytes) return refused(422, `the object has ${stored.sizeBytes} bytes`);
  const header = location.authorization === undefined ? {} : { Authorization: location.authorization };
  if (operation === "download") {
    if (stored === undefined) return refused(404, "Not Found");
    return { ...pointer, actions: { download: { href: `${location.base}/objects/${oid}`, ...(location.authorization !== undefined && { header }) } } };
  }
  if (stored !== undefined) return pointer;
  if (object.isTooLarge) return refused(413, "the object is larger than the maximum of this server");
  return {
    ...pointer,
    actions: {
      upload: { href: `${location.base}/objects/${oid}/${sizeBytes}`, header: { ...header, "Transfer-Encoding": "chunked" } },
      verify: { href: `${location.base}/verify`, header: { Accept: lfsType, ...header } },
    },
  };
}

export const presentLock = ({ id, path, ownerName, createdMs }: LfsLock): object => ({
  id: String(id),
  path,
  locked_at: formatTime(createdMs),
  owner: { name: ownerName },
});
