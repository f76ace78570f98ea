import { isUtf8 } from "node:buffer";
import { malformed, tooLarge } from "../../../../core/errors.ts";
import { isOid } from "../../../../git/run/commands.ts";
import { createPktReader, pktText } from "../../../../git/send/pkt-line.ts";
import type { ObjectFormat, Oid } from "../../../../git/types.ts";

/** One line of a push: move `name` from what the client believes to what it wants. Null stands for git's zero id. */
export interface PushCommand {
  readonly name: string;
  readonly oldOid: Oid | null;
  readonly newOid: Oid | null;
}

export interface PushRequest {
  readonly commands: readonly PushCommand[];
  readonly isAtomic: boolean;
  /** The client has a part of its history only. */
  readonly isShallow: boolean;
  readonly reports: "none" | "report-status" | "report-status-v2";
  readonly usesSideBand: boolean;
  readonly isQuiet: boolean;
  /** Opaque texts; this server knows few of them and ignores the others. */
  readonly options: readonly string[];
  /** The pack, for commands that are not all deletions. Read to its end or given up. */
  readonly pack: AsyncIterable<Uint8Array>;
}

export interface PushLimits {
  readonly maxCommands: number;
  readonly maxCommandBytes: number;
}

const maxOptions = 100;
/** They are kept with the event of the push. */
const maxOptionBytes = 16_384;
const maxNameBytes = 4_096;

/**
 * Reads the commands and options of a push (gitprotocol-pack, Reference Update Request). What follows stays in the stream.
 * @throws ForgeError `malformed`, or `too_large` for more commands than taken at once
 */
export async function readPushRequest(source: AsyncIterable<Uint8Array>, format: ObjectFormat, limits: PushLimits): Promise<PushRequest> {
  const reader = createPktReader(source, { maxBytes: limits.maxCommandBytes });
  const commands: PushCommand[] = [];
  let capabilities = new Set<string>();
  let isShallow = false;
  for (let isFirst = true; ; isFirst = false) {
    const pkt = await reader.next();
    if (pkt === undefined && isFirst) break;
    if (pkt === undefined) throw malformed("the push ends within its commands");
    if (pkt.kind === "flush") break;
    if (pkt.kind !== "data") throw malformed("the packets of the push are out of order");
    const nul = pkt.data.indexOf(0);
    const words = nul < 0 ? pkt.data : pkt.data.subarray(0, nul);
    // A name in other bytes would become another name, which the client would not know in the report.
    if (!isUtf8(words)) throw malformed("a ref name of the push is no UTF-8");
    const line = pktText(words);
    if (commands.length === 0 && nul >= 0) capabilities = new Set(pktText(pkt.data.subarray(nul + 1)).split(" "));
    // The client names the commits where its history ends. The connectivity check finds the objects that are missing behind them.
    if (line.startsWith("shallow ")) {
      isShallow = true;
      continue;
    }
    if (line.startsWith("push-cert")) throw malformed("signed pushes are not taken here: push without --signed");
    commands.push(parseCommand(line, format));
    if (commands.length > limits.maxCommands) throw tooLarge(`a push changes at most ${limits.maxCommands} refs: push them in several steps`);
  }
  const wantedFormat = [...capabilities].find((capability) => capability.startsWith("object-format="))?.slice("object-format=".length);
  if (wantedFormat !== undefined && wantedFormat !== format) throw malformed(`this repository has ${format} object ids, not ${wantedFormat}`);
  const options = capabilities.has("push-options") && commands.length > 0 ? await readOptions(reader) : [];
  return {
    commands,
    isAtomic: capabilities.has("atomic"),
    isShallow,
    reports: capabilities.has("report-status-v2") ? "report-status-v2" : capabilities.has("report-status") ? "report-status" : "none",
    usesSideBand: capabilities.has("side-band-64k"),
    isQuiet: capabilities.has("quiet"),
    options,
    pack: reader.rest(),
  };
}

function parseCommand(line: string, format: ObjectFormat): PushCommand {
  const length = format === "sha1" ? 40 : 64;
  const oldOid = line.slice(0, length);
  const newOid = line.slice(length + 1, 2 * length + 1);
  const name = line.slice(2 * length + 2);
  if (!isOid(oldOid) || !isOid(newOid) || line[length] !== " " || line[2 * length + 1] !== " " || name === "")
    throw malformed("a command of the push cannot be read");
  if (Buffer.byteLength(name) > maxNameBytes) throw malformed("a ref name of the push is longer than any ref name");
  const zero = "0".repeat(length);
  return { name, oldOid: oldOid === zero ? null : oldOid, newOid: newOid === zero ? null : newOid };
}

async function readOptions(reader: ReturnType<typeof createPktReader>): Promise<string[]> {
  const options: string[] = [];
  let sizeBytes = 0;
  for (;;) {
    const pkt = await reader.next();
    if (pkt === undefined) throw malformed("the push ends within its options");
    if (pkt.kind === "flush") return options;
    if (pkt.kind !== "data") throw malformed("the packets of the push are out of order");
    sizeBytes += pkt.data.length;
    if (options.length >= maxOptions || sizeBytes > maxOptionBytes)
      throw malformed(`a push carries at most ${maxOptions} options of ${maxOptionBytes} bytes in all`);
    options.push(pktText(pkt.data));
  }
}
