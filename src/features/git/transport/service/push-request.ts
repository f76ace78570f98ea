import { isUtf8 } from "node:buffer";
import { malformed, tooLarge } from "../../../../core/errors.ts";
import { countTurns } from "../../../../core/turns.ts";
import { isOid } from "../../../../git/run/commands.ts";
import { createPktReader, pktText } from "../../../../git/send/pkt-line.ts";
import type { ObjectFormat, Oid } from "../../../../git/types.ts";

/** A command of a push: move `name` from the client's old value to the new one. Null is git's zero id. */
export interface PushCommand {
  readonly name: string;
  readonly oldOid: Oid | null;
  readonly newOid: Oid | null;
}

export interface PushRequest {
  readonly commands: readonly PushCommand[];
  readonly isAtomic: boolean;
  /** The client has an incomplete history. */
  readonly isShallow: boolean;
  readonly reports: "none" | "report-status" | "report-status-v2";
  readonly usesSideBand: boolean;
  readonly isQuiet: boolean;
  /** Opaque strings; unknown ones are ignored. */
  readonly options: readonly string[];
  /** The pack, unless all commands are deletions. Must be read to its end or closed. */
  readonly pack: AsyncIterable<Uint8Array>;
}

export interface PushLimits {
  readonly maxCommands: number;
  readonly maxCommandBytes: number;
}

/** Work for a command, in small objects. */
const commandWeight = 10;
const maxOptions = 100;
/** They are stored with the push event. */
const maxOptionBytes = 16_384;
const maxNameBytes = 4_096;

/**
 * Reads the commands and options of a push (gitprotocol-pack, Reference Update Request). The pack stays in the stream.
 * @throws ForgeError `malformed`, or `too_large` for too many commands
 */
export async function readPushRequest(source: AsyncIterable<Uint8Array>, format: ObjectFormat, limits: PushLimits): Promise<PushRequest> {
  const reader = createPktReader(source, { maxBytes: limits.maxCommandBytes });
  const commands: PushCommand[] = [];
  let capabilities = new Set<string>();
  let isShallow = false;
  const turn = countTurns();
  for (let isFirst = true; ; isFirst = false) {
    await turn(commandWeight);
    const pkt = await reader.next();
    if (pkt === undefined && isFirst) break;
    if (pkt === undefined) throw malformed("the push ends within its commands");
    if (pkt.kind === "flush") break;
    if (pkt.kind !== "data") throw malformed("the packets of the push are out of order");
    const nul = pkt.data.indexOf(0);
    const words = nul < 0 ? pkt.data : pkt.data.subarray(0, nul);
    // Decoding other bytes would change the name, and the client would not recognize it in the report.
    if (!isUtf8(words)) throw malformed("a ref name of the push is not UTF-8");
    const line = pktText(words);
    if (commands.length === 0 && nul >= 0) capabilities = new Set(pktText(pkt.data.subarray(nul + 1)).split(" "));
    // The client names the commits where its history ends. The connectivity check finds missing objects behind them.
    if (line.startsWith("shallow ")) {
      isShallow = true;
      continue;
    }
    if (line.startsWith("push-cert")) throw malformed("signed pushes are not supported: push without --signed");
    commands.push(parseCommand(line, format));
    if (commands.length > limits.maxCommands) throw tooLarge(`a push can change at most ${limits.maxCommands} refs: push them in several steps`);
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
  if (Buffer.byteLength(name) > maxNameBytes) throw malformed("a ref name of the push is too long");
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
      throw malformed(`a push can have at most ${maxOptions} options of ${maxOptionBytes} bytes in total`);
    options.push(pktText(pkt.data));
  }
}
