import type { Config } from "../../../../config/config.ts";
import { isForgeError } from "../../../../core/errors.ts";
import type { Log } from "../../../../core/log.ts";
import { readWebAddress } from "../../../../core/web-address.ts";
import type { Reader } from "../../../../db/db.ts";
import type { OutgoingClient } from "../../../../outgoing/client.ts";
import type { FileStore } from "../../../../storage/files.ts";
import type { FileLimits, TakenFile } from "../../../collaboration/attachments/model.ts";
import { checkName } from "../../../collaboration/attachments/names.ts";
import { requireRoom } from "../../repos/service/sizes.ts";
import type { ForeignFile, Tracker } from "../tracker.ts";
import { download } from "./download.ts";
import type { ForeignServer } from "./foreign-server.ts";

export interface FileDeps {
  readonly db: Reader;
  readonly log: Log;
  readonly remotes: OutgoingClient;
  readonly files: FileStore;
  readonly config: Pick<Config, "attachments" | "limits">;
}

export type BroughtFiles = ReadonlyMap<ForeignFile, TakenFile>;

/** A file with the limits of its kind. */
interface WantedFile {
  readonly file: ForeignFile;
  readonly limits: FileLimits;
}

/**
 * Downloads the attachments of issues, comments and releases. Files that are missing, too large, of an unexpected size or not permitted by name
 * are skipped and logged. Sweeps remove unreferenced files.
 * @throws ForgeError `too_large` if the owner's quota is exceeded
 */
export async function bringFiles(deps: FileDeps, server: ForeignServer, tracker: Tracker, ownerId: number): Promise<BroughtFiles> {
  const found = wantedIn(deps, tracker);
  const wanted = found.filter(({ file: { name, sizeBytes = 0 }, limits }) => sizeBytes <= limits.maxBytes && isName(name, limits));
  const declaredBytes = wanted.reduce((sum, { file: { sizeBytes = 0 } }) => sum + sizeBytes, 0);
  let room = await requireRoom(deps, ownerId, declaredBytes);
  const brought = new Map<ForeignFile, TakenFile>();
  for (const { file, limits } of wanted) {
    const url = readWebAddress(file.address);
    if (url === undefined) continue;
    const maxBytes = Math.min(file.sizeBytes ?? limits.maxBytes, room);
    const received = await download(deps.remotes, deps.files, { url, headers: headersFor(server, url), maxBytes, signal: server.signal });
    if (received === undefined) continue;
    room -= received.sizeBytes;
    brought.set(file, { ...received, name: file.name, file: received.name });
  }
  if (brought.size < found.length) deps.log.warn({ found: found.length, brought: brought.size }, "files of a migration did not all come");
  return brought;
}

function wantedIn({ config: { attachments } }: FileDeps, { issues, pulls, comments, releases }: Tracker): readonly WantedFile[] {
  const onIssues = { maxBytes: attachments.max_bytes, endings: attachments.allowed_endings };
  const onReleases = { maxBytes: attachments.release_max_bytes, endings: ["*"] };
  const filesOf = (holders: readonly { readonly files: readonly ForeignFile[] }[], limits: FileLimits): WantedFile[] =>
    holders.flatMap(({ files }) => files.map((file) => ({ file, limits })));
  return [...filesOf([...issues, ...pulls, ...comments], onIssues), ...filesOf(releases, onReleases)];
}

/** Files can be on other hosts, which must not receive credentials. */
const headersFor = ({ api, headers }: ForeignServer, { origin }: URL): Readonly<Record<string, string>> =>
  origin === api.origin ? { ...headers, accept: "application/octet-stream" } : {};

function isName(name: string, { endings }: FileLimits): boolean {
  try {
    checkName(name, endings);
    return true;
  } catch (error) {
    if (!isForgeError(error)) throw error;
    return false;
  }
}
