import { isOid } from "../git/run/commands.ts";
import { createPktReader, encodePkts, flushPkt, type PktReader, pktText } from "../git/send/pkt-line.ts";
import { decodeSideBand, sideBand, terminalText } from "../git/send/side-band.ts";
import type { ObjectFormat, Oid } from "../git/types.ts";
import type { OutgoingClient } from "./client.ts";
import type { GitAddress } from "./git-address.ts";
import { type ConnectionOptions, openConnection, RemoteError } from "./git-connection.ts";
import type { RemoteRef } from "./git-fetch.ts";

/** An update of a remote ref, from its current to its new id; null: it does not exist. */
export interface RemoteUpdate {
  readonly name: string;
  readonly oldOid: Oid | null;
  readonly newOid: Oid | null;
}

export interface RemoteRefusal {
  readonly name: string;
  readonly reason: string;
}

/** A remote repository to push to. */
export interface PushRemote extends AsyncDisposable {
  readonly refs: readonly RemoteRef[];
  /**
   * @param pack the objects that the new ids need; undefined if all updates are deletions
   * @returns the updates that the remote rejected
   * @throws OutgoingError, RemoteError
   */
  push(updates: readonly RemoteUpdate[], pack: AsyncIterable<Uint8Array> | undefined): Promise<readonly RemoteRefusal[]>;
}

const maxReportBytes = 16 * 1024 * 1024;

/** Starts a push to a remote repository (gitprotocol-pack, Reference Discovery). @throws OutgoingError, RemoteError */
export async function openPush(
  client: OutgoingClient,
  address: GitAddress,
  format: ObjectFormat,
  options: Omit<ConnectionOptions, "service">,
): Promise<PushRemote> {
  await using opened = new AsyncDisposableStack();
  const connection = opened.use(await openConnection(client, address, { ...options, service: "git-receive-pack" }));
  const { refs, capabilities } = await readGreeting(await connection.greeting());
  const theirs = capabilities.find((word) => word.startsWith("object-format="))?.slice("object-format=".length) ?? "sha1";
  if (theirs !== format) throw new RemoteError(`the remote has ${terminalText(theirs)} object ids, not ${format}`, { reason: "refused" });
  const stack = opened.move();
  return {
    refs,
    async push(updates, pack) {
      const zero = "0".repeat(format === "sha1" ? 40 : 64);
      const known = ["report-status", "side-band-64k", "delete-refs", "ofs-delta", "quiet", `object-format=${format}`].filter((word) =>
        capabilities.includes(word),
      );
      const lines = updates.map(
        ({ name, oldOid, newOid }, index) => `${oldOid ?? zero} ${newOid ?? zero} ${name}${index === 0 ? `\0 ${known.join(" ")} agent=hearth/1` : ""}\n`,
      );
      const commands = Buffer.concat([encodePkts(lines), flushPkt]);
      const reader = await connection.ask(pack === undefined ? commands : following(commands, pack));
      return readReport(known.includes("side-band-64k") ? createPktReader(dataOf(reader), { maxBytes: maxReportBytes }) : reader);
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

async function* following(commands: Buffer, pack: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  yield commands;
  yield* pack;
}

async function readGreeting(reader: PktReader): Promise<{ readonly refs: readonly RemoteRef[]; readonly capabilities: readonly string[] }> {
  const refs: RemoteRef[] = [];
  let capabilities: readonly string[] = [];
  for (let pkt = await reader.next(); pkt?.kind === "data"; pkt = await reader.next()) {
    const text = pktText(pkt.data);
    if (text.startsWith("ERR ")) throw rejection(text.slice(4));
    const [line = "", words] = text.split("\0");
    if (words !== undefined) capabilities = words.trim().split(" ");
    const [oid = "", name = ""] = line.split(" ");
    if (isOid(oid) && name.startsWith("refs/")) refs.push({ name, oid });
  }
  return { refs, capabilities };
}

async function* dataOf(reader: PktReader): AsyncGenerator<Uint8Array, void, undefined> {
  for (let pkt = await reader.next(); pkt?.kind === "data"; pkt = await reader.next()) {
    const { band, data } = decodeSideBand(pkt.data);
    if (band === sideBand.fatal) throw rejection(data.toString("utf8"));
    if (band === sideBand.data) yield data;
  }
}

/** `unpack ok`, then `ok <ref>` or `ng <ref> <reason>` for each. */
async function readReport(reader: PktReader): Promise<readonly RemoteRefusal[]> {
  const refusals: RemoteRefusal[] = [];
  let isUnpacked = false;
  for (let pkt = await reader.next(); pkt?.kind === "data"; pkt = await reader.next()) {
    const line = terminalText(pktText(pkt.data));
    const [, name, reason] = /^ng (\S+) (.*)$/.exec(line) ?? [];
    if (line === "unpack ok") isUnpacked = true;
    else if (line.startsWith("unpack ")) throw rejection(line);
    else if (name !== undefined) refusals.push({ name, reason: (reason ?? "").slice(0, 500) });
  }
  if (!isUnpacked) throw new RemoteError("the remote did not report the result of the push", { reason: "protocol" });
  return refusals;
}

const rejection = (text: string): RemoteError => new RemoteError(`the remote says: ${terminalText(text).trim().slice(0, 500)}`, { reason: "refused" });
