import { countTurns } from "../../../../core/turns.ts";
import { encodePkt, encodePkts, flushPkt } from "../../../../git/send/pkt-line.ts";
import { findSliced, perSlice, type RefSlices } from "../../../../git/send/ref-slices.ts";
import type { ObjectFormat, Oid } from "../../../../git/types.ts";
import type { GitService } from "./locate.ts";

/** The server's name in the protocol. */
export const agent = "hearth/1";

export interface AdvertisedRef {
  readonly name: string;
  readonly oid: Oid;
  /** Empty unless `oid` is an annotated tag. */
  readonly peeledOid: Oid | "";
}

/** All data for the advertisement of a store. */
export interface AdvertisedStore {
  readonly format: ObjectFormat;
  /** Sorted by name, without hidden refs. */
  readonly slices: RefSlices<AdvertisedRef>;
  /** The target of HEAD, which may not exist yet. */
  readonly headRef: string;
}

export type ProtocolVersion = 0 | 1 | 2;

/** From the `Git-Protocol` header; anything but the three known versions counts as 0. */
export function protocolVersion(header: string | string[] | undefined): ProtocolVersion {
  if (header === "version=2") return 2;
  const versions = (typeof header === "string" ? header : "").split(":").flatMap((part) => (/^version=[012]$/.test(part) ? [Number(part.slice(8))] : []));
  return Math.max(0, ...versions) as ProtocolVersion;
}

const zeroOid = (format: ObjectFormat): Oid => "0".repeat(format === "sha1" ? 40 : 64);

/** HTTP requests are stateless, so a client repeats what was negotiated. SSH is one conversation. */
export type Transport = "http" | "ssh";

const uploadCapabilities =
  "multi_ack thin-pack side-band side-band-64k ofs-delta shallow deepen-since deepen-not deepen-relative no-progress include-tag multi_ack_detailed allow-tip-sha1-in-want allow-reachable-sha1-in-want filter";
const receiveCapabilities = "report-status report-status-v2 delete-refs side-band-64k quiet atomic ofs-delta push-options";

/**
 * The response to `info/refs` (gitprotocol-http, Smart Server Response), or the start of a conversation (gitprotocol-pack). Pushes
 * do not support version 2.
 */
export async function advertisement(transport: Transport, service: GitService, version: ProtocolVersion, store: AdvertisedStore): Promise<readonly Buffer[]> {
  if (service === "git-upload-pack" && version === 2) return [capabilityAdvertisement(transport, store.format)];
  const isFetch = service === "git-upload-pack";
  const { linesOf, framesOf, laterFramesOf } = isFetch ? fetchLines : pushLines;
  const head = isFetch ? findSliced(store.slices, store.headRef) : undefined;
  const capabilities = isFetch ? `${uploadCapabilities}${transport === "http" ? " no-done" : ""}${symref(store, head)}` : receiveCapabilities;
  const extra = `${capabilities} object-format=${store.format} agent=${agent}`;
  const [firstSlice = [], ...otherSlices] = store.slices;
  // The capabilities follow the first line.
  const [first = `${zeroOid(store.format)} capabilities^{}`] = head === undefined ? linesOf(firstSlice.slice(0, 1)) : [`${head.oid} HEAD`];
  const rest = head === undefined ? [laterFramesOf(firstSlice)] : [];
  const slices = await encodeSlices(head === undefined ? otherSlices : store.slices, framesOf, framesOf.knows);
  const greeting = version === 1 ? [encodePkt("version 1\n")] : [];
  return [...serviceHeader(transport, service), ...greeting, encodePkt(`${first}\0${extra}\n`), ...rest, ...slices, flushPkt];
}

const encodeLines = (lines: readonly string[]): Buffer => encodePkts(lines.map((line) => `${line}\n`));

/** Lines of a slice, the packets that contain them, and those without the first one. */
function linesPerSlice(linesOf: (refs: readonly AdvertisedRef[]) => string[]) {
  return {
    linesOf,
    framesOf: perSlice((refs: readonly AdvertisedRef[]) => encodeLines(linesOf(refs))),
    laterFramesOf: perSlice((refs: readonly AdvertisedRef[]) => encodeLines(linesOf(refs).slice(1))),
  };
}

const pushLines = linesPerSlice((refs) => refs.map(({ oid, name }) => `${oid} ${name}`));
const fetchLines = linesPerSlice((refs) =>
  refs.flatMap(({ oid, name, peeledOid }) => (peeledOid === "" ? [`${oid} ${name}`] : [`${oid} ${name}`, `${peeledOid} ${name}^{}`])),
);
const peeledLines = linesPerSlice((refs) => refs.map(({ oid, name, peeledOid }) => `${oid} ${name}${peeledOid === "" ? "" : ` peeled:${peeledOid}`}`));

type EncodeSlice = (slice: readonly AdvertisedRef[]) => Buffer;

/** @param known whether the frames of a slice exist, so that it needs no turn of the event loop */
async function encodeSlices(slices: RefSlices<AdvertisedRef>, encode: EncodeSlice, known: (slice: readonly AdvertisedRef[]) => boolean): Promise<Buffer[]> {
  const turn = countTurns();
  const frames: Buffer[] = [];
  for (const slice of slices) {
    const weight = known(slice) ? 0 : slice.length;
    frames.push(encode(slice));
    if (weight > 0) await turn(weight);
  }
  return frames;
}

const serviceHeader = (transport: Transport, service: GitService): Buffer[] => (transport === "http" ? [encodePkt(`# service=${service}\n`), flushPkt] : []);

const symref = (store: AdvertisedStore, head: AdvertisedRef | undefined): string => (head === undefined ? "" : ` symref=HEAD:${store.headRef}`);

function makeGreeting(transport: Transport, format: ObjectFormat): Buffer {
  const lines = ["version 2\n", `agent=${agent}\n`, "ls-refs=unborn\n", "fetch=shallow wait-for-done filter\n", "server-option\n", `object-format=${format}\n`];
  return Buffer.concat([...serviceHeader(transport, "git-upload-pack"), encodePkts(lines), flushPkt]);
}

const greetings: Readonly<Record<Transport, Readonly<Record<ObjectFormat, Buffer>>>> = {
  http: { sha1: makeGreeting("http", "sha1"), sha256: makeGreeting("http", "sha256") },
  ssh: { sha1: makeGreeting("ssh", "sha1"), sha256: makeGreeting("ssh", "sha256") },
};

/** The version 2 greeting for fetches (gitprotocol-v2, Capability Advertisement). It contains no refs, so it is built once. */
export const capabilityAdvertisement = (transport: Transport, format: ObjectFormat): Buffer => greetings[transport][format];

/** More prefixes than any client sends. Like git, ignores a longer list instead of failing. */
const maxPrefixes = 65_536;

/** The response to `ls-refs` (gitprotocol-v2), from the database and without a process. */
export async function lsRefs(store: AdvertisedStore, args: readonly string[]): Promise<readonly Buffer[]> {
  const peels = args.includes("peel");
  const showsSymrefs = args.includes("symrefs");
  const prefixes = args.filter((arg) => arg.startsWith("ref-prefix ")).map((arg) => arg.slice("ref-prefix ".length));
  const matches = prefixes.length === 0 || prefixes.length > maxPrefixes ? () => true : prefixMatcher(prefixes);
  const { linesOf, framesOf } = peels ? peeledLines : pushLines;
  const head = findSliced(store.slices, store.headRef);
  const target = showsSymrefs ? ` symref-target:${store.headRef}` : "";
  const heads: string[] = [];
  if (matches("HEAD")) {
    if (head !== undefined) heads.push(`${head.oid} HEAD${target}`);
    else if (args.includes("unborn")) heads.push(`unborn HEAD${target}`);
  }
  const isWhole = (slice: readonly AdvertisedRef[]): boolean => matches(sharedStart(slice));
  const encode: EncodeSlice = (slice) => (isWhole(slice) ? framesOf(slice) : encodeLines(linesOf(slice.filter(({ name }) => matches(name)))));
  return [encodeLines(heads), ...(await encodeSlices(store.slices, encode, (slice) => framesOf.knows(slice) && isWhole(slice))), flushPkt];
}

/** The common start of all names of a slice: if it has a prefix, all names have it. */
function sharedStart(slice: readonly AdvertisedRef[]): string {
  const first = slice[0]?.name ?? "";
  const last = slice.at(-1)?.name ?? "";
  let length = 0;
  while (length < first.length && first[length] === last[length]) length += 1;
  return first.slice(0, length);
}

/** A few prefixes are tried in turn; many exact names (a fetch of each ref) are looked up in a set. */
function prefixMatcher(prefixes: readonly string[]): (name: string) => boolean {
  if (prefixes.length <= 32) return (name) => prefixes.some((prefix) => name.startsWith(prefix));
  const lengths = [...new Set(prefixes.map((prefix) => prefix.length))];
  const known = new Set(prefixes);
  return (name) => lengths.some((length) => known.has(name.slice(0, length)));
}

/** The ref list of the dumb protocol, for debugging. The rest of that protocol is not supported. */
export const plainRefs = (store: AdvertisedStore): string => store.slices.flatMap((refs) => refs.map(({ oid, name }) => `${oid}\t${name}\n`)).join("");
