import type { Config } from "../../../../config/config.ts";
import { parseBoundedJson } from "../../../../core/bounded-json.ts";
import type { Log } from "../../../../core/log.ts";
import { readWebAddress } from "../../../../core/web-address.ts";
import type { Reader } from "../../../../db/db.ts";
import { readBlob } from "../../../../git/objects/objects.ts";
import { listSmallBlobs, smallBlobBytes } from "../../../../git/objects/small-blobs.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Oid } from "../../../../git/types.ts";
import { type OutgoingClient, readAtMost } from "../../../../outgoing/client.ts";
import type { GitAddress } from "../../../../outgoing/git-address.ts";
import type { FileStore } from "../../../../storage/files.ts";
import type { LfsObject, LfsPointer } from "../../../git/lfs/model.ts";
import { readLfsPointer } from "../../commits/lfs-pointer.ts";
import { requireRoom } from "../../repos/service/sizes.ts";
import { type Foreign, objectIn, objectsIn, textIn } from "../foreign-json.ts";
import { download } from "./download.ts";

export interface LargeFileDeps {
  readonly db: Reader;
  readonly log: Log;
  readonly remotes: OutgoingClient;
  readonly files: FileStore;
  readonly config: Pick<Config, "lfs" | "limits">;
}

export interface LargeFileSource {
  readonly from: GitAddress;
  readonly store: GitStore;
  readonly tipOids: readonly Oid[];
  readonly ownerId: number;
  readonly signal: AbortSignal;
}

const mediaType = "application/vnd.git-lfs+json";
/** The batch size of git-lfs clients. */
const batch = 100;
const maxPointers = 1_000_000;
const answerBytes = 4 * 1024 * 1024;
const questionMs = 60_000;

/**
 * Fetches the Git LFS files that a history refers to (git-lfs, docs/api/batch.md). Files that are unavailable or do not match their pointer are
 * skipped and logged; they are missing as in any clone. Sweeps remove unreferenced files.
 * @throws ForgeError `too_large` if the owner's quota is exceeded
 */
export async function bringLargeFiles(deps: LargeFileDeps, source: LargeFileSource): Promise<readonly LfsObject[]> {
  if (!deps.config.lfs.enabled || source.from.url.protocol === "git:") return [];
  const pointers = (await findPointers(source)).filter(({ sizeBytes }) => sizeBytes <= deps.config.lfs.max_object_bytes);
  await requireRoom(
    deps,
    source.ownerId,
    pointers.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  );
  const brought: LfsObject[] = [];
  for (let at = 0; at < pointers.length; at += batch) brought.push(...(await bringBatch(deps, source, pointers.slice(at, at + batch))));
  if (brought.length < pointers.length) deps.log.warn({ found: pointers.length, brought: brought.length }, "large files of a migration did not all come");
  return brought;
}

async function findPointers({ store, tipOids, signal }: LargeFileSource): Promise<readonly LfsPointer[]> {
  const pointers = new Map<string, LfsPointer>();
  for await (const oid of listSmallBlobs(store, tipOids, signal)) {
    const blob = await readBlob(store, oid, smallBlobBytes);
    const pointer = blob?.data && readLfsPointer(blob.data);
    if (pointer !== undefined && pointers.size < maxPointers) pointers.set(pointer.oid, pointer);
  }
  return [...pointers.values()];
}

async function bringBatch(deps: LargeFileDeps, source: LargeFileSource, pointers: readonly LfsPointer[]): Promise<readonly LfsObject[]> {
  const answered = new Map((await askBatch(deps, source, pointers)).map((object) => [textIn(object, "oid", 64), object]));
  const brought: LfsObject[] = [];
  for (const pointer of pointers) {
    const action = objectIn(objectIn(answered.get(pointer.oid) ?? {}, "actions"), "download");
    const url = readWebAddress(textIn(action, "href", 8_000));
    const request = { headers: headersIn(action), maxBytes: pointer.sizeBytes, signal: source.signal };
    const received = url && (await download(deps.remotes, deps.files, { url, ...request }));
    if (received === undefined) continue;
    if (received.digest === pointer.oid && received.sizeBytes === pointer.sizeBytes) brought.push({ ...pointer, file: received.name });
    else await deps.files.delete(received.name);
  }
  return brought;
}

async function askBatch({ remotes }: LargeFileDeps, { from, signal }: LargeFileSource, pointers: readonly LfsPointer[]): Promise<readonly Foreign[]> {
  const { url, credentials } = from;
  const base = url.href.endsWith(".git") ? url.href : `${url.href}.git`;
  const headers = {
    accept: mediaType,
    "content-type": mediaType,
    ...(credentials && { authorization: `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString("base64")}` }),
  };
  const body = JSON.stringify({ operation: "download", transfers: ["basic"], objects: pointers.map(({ oid, sizeBytes: size }) => ({ oid, size })) });
  const answer = await remotes.send({ method: "POST", url: new URL(`${base}/info/lfs/objects/batch`), headers, body, timeoutMs: questionMs, signal });
  const { bytes, isWhole } = await readAtMost(answer, answerBytes);
  if (answer.status !== 200 || !isWhole) return [];
  try {
    return objectsIn(((await parseBoundedJson(bytes)) as Foreign | null)?.objects);
  } catch {
    return [];
  }
}

/** The headers that the server requests for the download. */
function headersIn(action: Foreign): Readonly<Record<string, string>> {
  const given = objectIn(action, "header");
  const plain = Object.keys(given).filter((name) => /^[A-Za-z0-9-]+$/.test(name) && !/^(?:host|content-length|transfer-encoding|connection)$/i.test(name));
  return Object.fromEntries(plain.map((name) => [name, textIn(given, name, 8_000).replace(/[^\x20-\x7e]/g, "")]));
}
