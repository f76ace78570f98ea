import { createHash } from "node:crypto";
import { collectBytes } from "../../core/collect-bytes.ts";
import { malformed, tooLarge } from "../../core/errors.ts";
import { batchesOf, slicesOf } from "../../core/turns.ts";
import { isOid } from "../run/commands.ts";
import type { GitStore } from "../stores.ts";
import type { Oid } from "../types.ts";
import { decodePkts, pktText } from "./pkt-line.ts";

/** Reads, limits and parses the body of a POST to `git-upload-pack` before git receives it. */

/** A command of protocol v2 (gitprotocol-v2, Command Request): `ls-refs`, `fetch`, `object-info`, ... */
export interface CommandRequest {
  readonly command: string;
  readonly capabilities: readonly string[];
  readonly arguments: readonly string[];
}

export interface FetchRequest {
  readonly version: 0 | 1 | 2;
  /** Number of wanted objects. */
  readonly wants: number;
  /** Number of objects that the client has. */
  readonly haves: number;
  /** Digest of the wanted ids; for few of them, independent of their order. */
  readonly wantsDigest: string;
  /** The client has finished negotiating; the response contains the pack. */
  readonly done: boolean;
  /** All other arguments that affect the response, sorted: capabilities, `shallow`, `deepen`, `filter`, ...; not the client's identity. */
  readonly terms: readonly string[];
  /** The unchanged bytes, for `streamUploadPack`. */
  readonly body: Buffer;
}

export interface FetchLimits {
  readonly maxWants: number;
  readonly maxHaves: number;
}

export const defaultFetchLimits: FetchLimits = { maxWants: 200_000, maxHaves: 200_000 };

/** A clone of a repository with 50,000 refs has as many lines. */
const parsedTogether = 2_000;

/** Clones of many refs request them in the order of the advertisement. */
const maxSorted = 1_000;

async function digestOf(oids: readonly Oid[]): Promise<string> {
  const hash = createHash("sha256");
  for await (const slice of slicesOf(oids, parsedTogether)) hash.update(slice.join(""));
  return hash.digest("hex");
}

/** Reads an entire request body. @throws ForgeError `too_large` */
export async function readBody(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const collected = collectBytes();
  for await (const chunk of source) {
    if (collected.sizeBytes() + chunk.length > maxBytes) throw tooLarge(`the request is larger than ${maxBytes} bytes`);
    collected.add(chunk);
  }
  return collected.bytes();
}

/** @throws ForgeError `malformed` if the body is not exactly one command of protocol v2 */
export async function parseCommandRequest(body: Buffer): Promise<CommandRequest> {
  let command: string | undefined;
  const capabilities: string[] = [];
  const args: string[] = [];
  let section = capabilities;
  let ended = false;
  for await (const pkts of batchesOf(decodePkts(body), parsedTogether)) {
    for (const pkt of pkts) {
      if (ended) throw malformed("the request contains more than one command");
      if (pkt.kind === "flush") ended = true;
      else if (pkt.kind === "delim" && section === capabilities) section = args;
      else if (pkt.kind !== "data") throw malformed("the request's packets are out of order");
      else {
        const text = pktText(pkt.data);
        if (section === capabilities && text.startsWith("command=")) {
          if (command !== undefined) throw malformed("the request contains two commands");
          command = text.slice("command=".length);
        } else section.push(text);
      }
    }
  }
  if (command === undefined || !ended) throw malformed("the request is not a command of protocol v2");
  return { command, capabilities, arguments: args };
}

/** @throws ForgeError `malformed`, `too_large` */
export async function parseFetchRequest(body: Buffer, version: 0 | 1 | 2, limits: FetchLimits = defaultFetchLimits): Promise<FetchRequest> {
  return version === 2 ? parseFetchCommand(await parseCommandRequest(body), body, limits) : parseUploadRequest(body, version, limits);
}

/** @param body the bytes of the command */
export async function parseFetchCommand(request: CommandRequest, body: Buffer, limits: FetchLimits = defaultFetchLimits): Promise<FetchRequest> {
  if (request.command !== "fetch") throw malformed("the request is not a fetch");
  const lines = createLines(limits);
  for await (const slice of slicesOf(request.arguments, parsedTogether)) for (const line of slice) lines.add(line);
  for (const capability of request.capabilities) lines.term(capability);
  return lines.finish(2, body);
}

/** Protocol v0 and v1 (gitprotocol-pack, Packfile Negotiation): the first `want` carries the capabilities. */
async function parseUploadRequest(body: Buffer, version: 0 | 1, limits: FetchLimits): Promise<FetchRequest> {
  const lines = createLines(limits);
  let first = true;
  for await (const pkts of batchesOf(decodePkts(body), parsedTogether)) {
    for (const pkt of pkts) {
      if (pkt.kind === "flush") continue;
      if (pkt.kind !== "data") throw malformed("the request's packets are out of order");
      let line = pktText(pkt.data);
      if (first) {
        first = false;
        const words = line.split(" ");
        if (words[0] !== "want") throw malformed("the request does not begin with a want line");
        for (const capability of words.slice(2)) if (capability !== "") lines.term(capability);
        line = words.slice(0, 2).join(" ");
      }
      lines.add(line);
    }
  }
  return lines.finish(version, body);
}

/** The client's agent and session id do not affect the response. */
const anonymousTerm = /^(?:agent|session-id)=/;

function createLines(limits: FetchLimits) {
  const wants = new Set<Oid>();
  const haves = new Set<Oid>();
  const terms = new Set<string>();
  let done = false;

  function oid(line: string, keyword: string): Oid {
    const text = line.slice(keyword.length + 1);
    if (!isOid(text)) throw malformed(`${keyword} is not followed by an object id`);
    return text;
  }

  return {
    term(text: string): void {
      if (!anonymousTerm.test(text)) terms.add(text);
    },
    add(line: string): void {
      if (line.startsWith("want ")) {
        wants.add(oid(line, "want"));
        if (wants.size > limits.maxWants) throw tooLarge(`the request has more than ${limits.maxWants} want lines`);
      } else if (line.startsWith("have ")) {
        haves.add(oid(line, "have"));
        if (haves.size > limits.maxHaves) throw tooLarge(`more than ${limits.maxHaves} objects are named as present`);
      } else if (line === "done") done = true;
      else terms.add(line);
    },
    finish: async (version: 0 | 1 | 2, body: Buffer): Promise<FetchRequest> => ({
      version,
      wants: wants.size,
      haves: haves.size,
      wantsDigest: await digestOf(wants.size > maxSorted ? [...wants] : [...wants].sort()),
      done,
      terms: [...terms].sort(),
      body,
    }),
  };
}

/** Refs that a git process needs for a request: none, only annotated tags, or all advertised refs. */
export type NeededRefs = "none" | "tags" | "advertised";

/**
 * `include-tag` adds tags of the sent objects. `deepen-not` names a ref, and `deepen-relative` counts from the commits reachable from the
 * refs (git's upload-pack.c). All other requests need only objects.
 */
export function neededRefs({ terms }: FetchRequest): NeededRefs {
  if (terms.some((term) => term === "deepen-relative" || /^(?:deepen-not|want-ref) /.test(term))) return "advertised";
  return terms.includes("include-tag") ? "tags" : "none";
}

/**
 * Cache key of a fetch response (`pack-cache.ts`); undefined if it cannot be shared. Only a response without negotiation is the same for
 * every client.
 * @param refsDigest digest of the refs that the git process sees; undefined if it sees none
 */
export function fetchKey(store: GitStore, request: FetchRequest, refsDigest: string | undefined): string | undefined {
  if (!request.done || request.haves > 0 || request.wants === 0) return undefined;
  const parts = ["fetch 3", store.key, store.format, request.version === 2 ? "v2" : "v0", refsDigest ?? "no refs", request.wantsDigest, ...request.terms];
  return createHash("sha256")
    .update(`${parts.length}\n${parts.join("\n")}`)
    .digest("hex");
}
