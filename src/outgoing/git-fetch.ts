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

/** What a repository elsewhere has. */
export interface RemoteRefs {
  readonly format: ObjectFormat;
  /** The branch that HEAD stands for, where the remote tells. */
  readonly headRef: string | undefined;
  readonly refs: readonly RemoteRef[];
}

export interface Wants {
  readonly wantOids: readonly Oid[];
  /** What is here already: the remote leaves out what these have. */
  readonly haveOids: readonly Oid[];
}

/** A repository elsewhere that can be fetched from. */
export interface FetchRemote extends AsyncDisposable {
  readonly advertised: RemoteRefs;
  /** The pack that brings what is wanted, thin where something is here already. Once. @throws RemoteError from the iteration, too */
  fetchPack(wants: Wants): AsyncIterable<Uint8Array>;
}

export interface FetchOptions extends Omit<ConnectionOptions, "service"> {
  /** Beginnings of names of refs that are read beside those of branches, tags and notes. */
  readonly morePrefixes?: readonly string[];
}

/** Bytes of a list of refs, of which a server may have hundreds of thousands. */
const maxRefBytes = 256 * 1024 * 1024;
const maxRefs = 1_000_000;

/**
 * Reads the refs of a repository elsewhere (branches, tags, notes), as a client of git of versions 0 to 2. No process takes part, so nothing of the
 * address or of the credentials is ever on a command line, and nothing the remote says is more than data.
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
  // Servers that know no other format may not know the word either.
  const opening = capabilities.some((line) => line.startsWith("object-format=")) ? head : (command: string) => head(command).slice(0, 2);
  const listing = ["peel\n", "symrefs\n", "unborn\n", "ref-prefix HEAD\n", ...prefixes.map((prefix) => `ref-prefix ${prefix}\n`)];
  const knowsUnborn = capabilities.some((line) => /^ls-refs=.*\bunborn\b/.test(line));
  const asked = knowsUnborn ? listing : listing.filter((line) => line !== "unborn\n");
  const lines = await readLines(await connection.ask(Buffer.concat([encodePkts(opening("ls-refs")), delimPkt, encodePkts(asked), flushPkt])));
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

/** Versions 0 and 1 greet with all refs; what they can do stands behind the first. */
async function openVersion0(connection: GitConnection, greeting: PktReader, prefixes: readonly string[], firstLine: string | undefined): Promise<Dialect> {
  const first = firstLine === "version 1" ? await readLine(greeting) : firstLine;
  if (first === undefined) throw new RemoteError("the greeting of the remote cannot be read", { reason: "protocol" });
  const [line = "", words = ""] = first.split("\0");
  const capabilities = words.split(" ");
  const refs = [line, ...(await readLines(greeting))].flatMap((text): RemoteRef[] => {
    const [oid = "", name = ""] = text.split(" ");
    return isKept(name, prefixes) && isOid(oid) ? [{ name, oid }] : [];
  });
  const format = formatOf(capabilities.find((word) => word.startsWith("object-format=")));
  const headRef = capabilities.find((word) => word.startsWith("symref=HEAD:"))?.slice("symref=HEAD:".length);
  if (!capabilities.includes("side-band-64k")) throw new RemoteError("the git of the remote is too old", { reason: "protocol" });
  return {
    advertised: { format, headRef, refs },
    async *fetchPack({ wantOids, haveOids }) {
      const known = ["side-band-64k", "ofs-delta", "no-progress", ...(haveOids.length > 0 ? ["thin-pack"] : [])].filter((word) => capabilities.includes(word));
      const wants = wantOids.map((oid, index) => `want ${oid}${index === 0 ? ` ${known.join(" ")} agent=hearth/1` : ""}\n`);
      const haves = haveOids.map((oid) => `have ${oid}\n`);
      const answer = await connection.ask(Buffer.concat([encodePkts(wants), flushPkt, encodePkts([...haves, "done\n"])]));
      // One line says what was found in common; with no "done" heard yet there may be more of them.
      yield* packOf(answer, /^(?:NAK|ACK [0-9a-f]+.*)$/);
    },
  };
}

const keptPrefixes = ["refs/heads/", "refs/tags/", "refs/notes/"];
const isKept = (name: string, prefixes: readonly string[]): boolean => prefixes.some((prefix) => name.startsWith(prefix)) && !name.endsWith("^{}");

function formatOf(capability = "object-format=sha1"): ObjectFormat {
  const format = capability.slice("object-format=".length);
  if (format === "sha1" || format === "sha256") return format;
  throw new RemoteError("the remote names its objects in a way that is not known here", { reason: "protocol" });
}

/** The text of a line; undefined at the end of a section. */
async function readLine(reader: PktReader): Promise<string | undefined> {
  const pkt = await reader.next();
  if (pkt?.kind !== "data") return undefined;
  const line = pktText(pkt.data);
  if (line.startsWith("ERR ")) throw saidNo(line.slice(4));
  return line;
}

async function readLines(reader: PktReader): Promise<string[]> {
  const lines: string[] = [];
  for (let line = await readLine(reader); line !== undefined; line = await readLine(reader)) {
    lines.push(line);
    if (lines.length > maxRefs || reader.consumedBytes() > maxRefBytes)
      throw new RemoteError("the remote has more refs than are taken here", { reason: "refused" });
  }
  return lines;
}

/** The data of a side band, to its end. @param before lines that may stand in front of it */
async function* packOf(reader: PktReader, before?: RegExp): AsyncGenerator<Uint8Array, void, undefined> {
  for (let pkt = await reader.next(); pkt?.kind !== "flush"; pkt = await reader.next()) {
    if (pkt?.kind !== "data") throw new RemoteError("the pack of the remote was cut off", { reason: "protocol" });
    if (before?.test(pktText(pkt.data))) continue;
    const { band, data } = decodeSideBand(pkt.data);
    if (band === sideBand.fatal) throw saidNo(data.toString("utf8"));
    if (band === sideBand.data) yield data;
  }
}

const saidNo = (text: string): RemoteError => new RemoteError(`the remote says: ${terminalText(text).trim().slice(0, 500)}`, { reason: "refused" });
