import { isOid } from "../git/run/commands.ts";
import { delimPkt, encodePkts, flushPkt, type PktReader, pktText } from "../git/send/pkt-line.ts";
import { decodeSideBand, sideBand, terminalText } from "../git/send/side-band.ts";
import type { ObjectFormat, Oid } from "../git/types.ts";
import type { OutgoingClient } from "./client.ts";
import type { GitAddress } from "./git-address.ts";
import { type ConnectionOptions, type GitConnection, openConnection, RemoteError } from "./git-connection.ts";

export interface RemoteRef {
  /** Full name. */
  readonly name: string;
  readonly oid: Oid;
}

/** The refs of a remote repository. */
export interface RemoteRefs {
  readonly format: ObjectFormat;
  /** Target branch of HEAD, if the remote reports it. */
  readonly headRef: string | undefined;
  readonly refs: readonly RemoteRef[];
}

export interface Wants {
  readonly wantOids: readonly Oid[];
  /** Objects that already exist here: the remote omits everything reachable from them. */
  readonly haveOids: readonly Oid[];
}

/** A remote repository to fetch from. */
export interface FetchRemote extends AsyncDisposable {
  readonly advertised: RemoteRefs;
  /** Streams the pack with the wanted objects, thin if some objects exist here. Call once. @throws RemoteError also during the iteration */
  fetchPack(wants: Wants): AsyncIterable<Uint8Array>;
}

export interface FetchOptions extends Omit<ConnectionOptions, "service"> {
  /** Additional ref prefixes to read besides branches, tags and notes. */
  readonly morePrefixes?: readonly string[];
}

/** Maximum bytes of a ref list, which can have hundreds of thousands of refs. */
const maxRefBytes = 256 * 1024 * 1024;
const maxRefs = 1_000_000;

/**
 * Reads the refs of a remote repository (branches, tags, notes), with git protocol versions 0 to 2. No process is involved, so the address
 * and credentials are never on a command line, and the remote's output is only parsed as data.
 * @throws OutgoingError, RemoteError
 */
export async function openFetch(client: OutgoingClient, address: GitAddress, { morePrefixes = [], ...options }: FetchOptions): Promise<FetchRemote> {
  await using opened = new AsyncDisposableStack();
  const connection = opened.use(await openConnection(client, address, { ...options, service: "git-upload-pack" }));
  const greeting = await connection.greeting();
  const first = await readLine(greeting);
  const prefixes = [...keptPrefixes, ...morePrefixes];
  const dialect = first === "version 2" ? await openVersion2(connection, greeting, prefixes) : await openVersion0(connection, greeting, prefixes, first);
  const stack = opened.move();
  return { ...dialect, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

type Dialect = Omit<FetchRemote, keyof AsyncDisposable>;

async function openVersion2(connection: GitConnection, greeting: PktReader, prefixes: readonly string[]): Promise<Dialect> {
  const capabilities = await readLines(greeting);
  const format = formatOf(capabilities.find((line) => line.startsWith("object-format=")));
  const head = (command: string): string[] => [`command=${command}\n`, "agent=hearth/1\n", `object-format=${format}\n`];
  // Servers that support only SHA-1 may not know this capability.
  const opening = capabilities.some((line) => line.startsWith("object-format=")) ? head : (command: string) => head(command).slice(0, 2);
  const listing = ["peel\n", "symrefs\n", "unborn\n", "ref-prefix HEAD\n", ...prefixes.map((prefix) => `ref-prefix ${prefix}\n`)];
  const knowsUnborn = capabilities.some((line) => /^ls-refs=.*\bunborn\b/.test(line));
  const requested = knowsUnborn ? listing : listing.filter((line) => line !== "unborn\n");
  const lines = await readLines(await connection.ask(Buffer.concat([encodePkts(opening("ls-refs")), delimPkt, encodePkts(requested), flushPkt])));
  return {
    advertised: readRefs(format, lines, prefixes),
    async *fetchPack({ wantOids, haveOids }) {
      const terms = [
        ...["ofs-delta\n", ...(haveOids.length > 0 ? ["thin-pack\n"] : [])],
        ...wantOids.map((oid) => `want ${oid}\n`),
        ...haveOids.map((oid) => `have ${oid}\n`),
        "done\n",
      ];
      const answer = await connection.ask(Buffer.concat([encodePkts(opening("fetch")), delimPkt, encodePkts(terms), flushPkt]));
      for (let line = await readLine(answer); line !== "packfile"; line = await readLine(answer)) {
        if (line === undefined) throw new RemoteError("the remote sent no pack", { reason: "protocol" });
      }
      yield* packOf(answer);
    },
  };
}

/** Lines of `ls-refs`: `<oid> <name>` and attributes, or `unborn HEAD symref-target:<name>`. */
function readRefs(format: ObjectFormat, lines: readonly string[], prefixes: readonly string[]): RemoteRefs {
  let headRef: string | undefined;
  const refs: RemoteRef[] = [];
  for (const line of lines) {
    const [oid = "", name = "", ...attributes] = line.split(" ");
    if (name === "HEAD") headRef = attributes.find((word) => word.startsWith("symref-target:"))?.slice("symref-target:".length);
    else if (isKept(name, prefixes) && isOid(oid)) refs.push({ name, oid });
  }
  return { format, headRef, refs };
}

/** Versions 0 and 1 advertise all refs; capabilities follow the first one. */
async function openVersion0(connection: GitConnection, greeting: PktReader, prefixes: readonly string[], firstLine: string | undefined): Promise<Dialect> {
  const first = firstLine === "version 1" ? await readLine(greeting) : firstLine;
  if (first === undefined) throw new RemoteError("the advertisement of the remote cannot be parsed", { reason: "protocol" });
  const [line = "", words = ""] = first.split("\0");
  const capabilities = words.split(" ");
  const refs = [line, ...(await readLines(greeting))].flatMap((text): RemoteRef[] => {
    const [oid = "", name = ""] = text.split(" ");
    return isKept(name, prefixes) && isOid(oid) ? [{ name, oid }] : [];
  });
  const format = formatOf(capabilities.find((word) => word.startsWith("object-format=")));
  const headRef = capabilities.find((word) => word.startsWith("symref=HEAD:"))?.slice("symref=HEAD:".length);
  if (!capabilities.includes("side-band-64k")) throw new RemoteError("the remote's git version is too old", { reason: "protocol" });
  return {
    advertised: { format, headRef, refs },
    async *fetchPack({ wantOids, haveOids }) {
      const known = ["side-band-64k", "ofs-delta", "no-progress", ...(haveOids.length > 0 ? ["thin-pack"] : [])].filter((word) => capabilities.includes(word));
      const wants = wantOids.map((oid, index) => `want ${oid}${index === 0 ? ` ${known.join(" ")} agent=hearth/1` : ""}\n`);
      const haves = haveOids.map((oid) => `have ${oid}\n`);
      const answer = await connection.ask(Buffer.concat([encodePkts(wants), flushPkt, encodePkts([...haves, "done\n"])]));
      // One line acknowledges common objects; before "done" was received there may be more of them.
      yield* packOf(answer, /^(?:NAK|ACK [0-9a-f]+.*)$/);
    },
  };
}

const keptPrefixes = ["refs/heads/", "refs/tags/", "refs/notes/"];
const isKept = (name: string, prefixes: readonly string[]): boolean => prefixes.some((prefix) => name.startsWith(prefix)) && !name.endsWith("^{}");

function formatOf(capability = "object-format=sha1"): ObjectFormat {
  const format = capability.slice("object-format=".length);
  if (format === "sha1" || format === "sha256") return format;
  throw new RemoteError("the remote uses an unknown object format", { reason: "protocol" });
}

/** A line as a string; undefined at the end of a section. */
async function readLine(reader: PktReader): Promise<string | undefined> {
  const pkt = await reader.next();
  if (pkt?.kind !== "data") return undefined;
  const line = pktText(pkt.data);
  if (line.startsWith("ERR ")) throw rejection(line.slice(4));
  return line;
}

async function readLines(reader: PktReader): Promise<string[]> {
  const lines: string[] = [];
  for (let line = await readLine(reader); line !== undefined; line = await readLine(reader)) {
    lines.push(line);
    if (lines.length > maxRefs || reader.consumedBytes() > maxRefBytes) throw new RemoteError("the remote has too many refs", { reason: "refused" });
  }
  return lines;
}

/** The data band of a side-band stream, to its end. @param before lines that may precede it */
async function* packOf(reader: PktReader, before?: RegExp): AsyncGenerator<Uint8Array, void, undefined> {
  for (let pkt = await reader.next(); pkt?.kind !== "flush"; pkt = await reader.next()) {
    if (pkt?.kind !== "data") throw new RemoteError("the pack of the remote was cut off", { reason: "protocol" });
    if (before?.test(pktText(pkt.data))) continue;
    const { band, data } = decodeSideBand(pkt.data);
    if (band === sideBand.fatal) throw rejection(data.toString("utf8"));
    if (band === sideBand.data) yield data;
  }
}

const rejection = (text: string): RemoteError => new RemoteError(`the remote says: ${terminalText(text).trim().slice(0, 500)}`, { reason: "refused" });
