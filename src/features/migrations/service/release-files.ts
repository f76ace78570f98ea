import type { Config } from "../../../config/config.ts";
import { isForgeError } from "../../../core/errors.ts";
import type { Log } from "../../../core/log.ts";
import { readWebAddress } from "../../../core/web-address.ts";
import type { Reader } from "../../../db/db.ts";
import type { OutgoingClient } from "../../../outgoing/client.ts";
import type { FileStore } from "../../../storage/files.ts";
import { checkName } from "../../attachments/names.ts";
import type { TakenFile } from "../../attachments/view.ts";
import { requireRoom } from "../../repos/service/sizes.ts";
import type { ForeignFile, ForeignRelease } from "../tracker.ts";
import { download } from "./download.ts";
import type { ForeignServer } from "./foreign-server.ts";

export interface ReleaseFileDeps {
  readonly db: Reader;
  readonly log: Log;
  readonly remotes: OutgoingClient;
  readonly attachments: FileStore;
  readonly config: Pick<Config, "attachments" | "limits">;
}

export type BroughtFiles = ReadonlyMap<ForeignFile, TakenFile>;

/**
 * Brings the files of releases. What does not come, is larger than it is said to be or than is taken here, stays away, and the log tells of it.
 * Files that no row will name are the sweep's.
 * @throws ForgeError `too_large` for more than the owner may have
 */
export async function bringReleaseFiles(
  deps: ReleaseFileDeps,
  server: ForeignServer,
  releases: readonly ForeignRelease[],
  ownerId: number,
): Promise<BroughtFiles> {
  const largest = deps.config.attachments.release_max_bytes;
  const found = releases.flatMap(({ files }) => files);
  const wanted = found.filter(({ name, sizeBytes = 0 }) => sizeBytes <= largest && isName(name));
  const told = wanted.reduce((sum, { sizeBytes = 0 }) => sum + sizeBytes, 0);
  let room = await requireRoom(deps, ownerId, told);
  const brought = new Map<ForeignFile, TakenFile>();
  for (const file of wanted) {
    const url = readWebAddress(file.address);
    if (url === undefined) continue;
    const maxBytes = Math.min(file.sizeBytes ?? largest, room);
    const received = await download(deps.remotes, deps.attachments, { url, headers: headersFor(server, url), maxBytes, signal: server.signal });
    if (received === undefined) continue;
    room -= received.sizeBytes;
    brought.set(file, { name: file.name, file: received.name, sizeBytes: received.sizeBytes });
  }
  if (brought.size < found.length) deps.log.warn({ found: found.length, brought: brought.size }, "files of releases of a migration did not all come");
  return brought;
}

/** Files may lie with somebody else, who is told no secret. */
const headersFor = ({ api, headers }: ForeignServer, { origin }: URL): Readonly<Record<string, string>> =>
  origin === api.origin ? { ...headers, accept: "application/octet-stream" } : {};

function isName(name: string): boolean {
  try {
    checkName(name, ["*"]);
    return true;
  } catch (error) {
    if (!isForgeError(error)) throw error;
    return false;
  }
}
