import { malformed, tooLarge } from "../../../../core/errors.ts";
import type { Enter } from "../../../../core/lanes.ts";
import { isOid } from "../../../../git/run/commands.ts";
import { defaultFetchLimits, parseFetchRequest } from "../../../../git/send/fetch-request.ts";
import { createPktReader, delimPkt, encodePkt, flushPkt, type Pkt, type PktReader, pktText } from "../../../../git/send/pkt-line.ts";
import { streamUploadConversation } from "../../../../git/send/upload-pack.ts";
import type { GitTarget } from "../git-target.ts";
import { advertisement, capabilityAdvertisement, type ProtocolVersion } from "./advertise.ts";
import { answerFetch, type FetchDeps, fetchedStore, maxFetchBytes, takeRefs } from "./fetch.ts";

export interface FetchConversation {
  readonly version: ProtocolVersion;
  /** The client's data after the greeting. */
  readonly input: AsyncIterable<Uint8Array>;
  /** Waits for a place in a lane before a pack is made. */
  readonly enter: Enter;
  readonly signal: AbortSignal;
}

/** A complete fetch over an open channel, from the greeting to the pack. Yields the data to send. @throws ForgeError as `answerFetch` */
export async function* converseFetch(
  deps: FetchDeps,
  target: GitTarget,
  { version, input, enter, signal }: FetchConversation,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = createPktReader(input);
  if (version !== 2) {
    yield* await deps.refAnswers.answer(target, `ssh git-upload-pack ${version}`, (store) => advertisement("ssh", "git-upload-pack", version, store));
    return yield* answerWants(deps, target, { version, reader, enter, signal });
  }
  yield capabilityAdvertisement("ssh", target.repository.objectFormat);
  // Commands of version 2 are stateless (gitprotocol-v2): each is handled like an HTTP request.
  for (let body = await readSection(reader); body !== undefined; body = await readSection(reader)) {
    const answer = await answerFetch(deps, { ...target, isHeld: true }, { version, body, enter, signal });
    yield* answer;
  }
}

interface OldConversation {
  readonly version: 0 | 1;
  readonly reader: PktReader;
  readonly enter: Enter;
  readonly signal: AbortSignal;
}

/**
 * Versions 0 and 1 (gitprotocol-pack, Packfile Negotiation). A clone is one request, as over HTTP, and may come from the cache. A
 * fetch with negotiation runs a process of its own.
 */
async function* answerWants(
  deps: FetchDeps,
  target: GitTarget,
  { version, reader, enter, signal }: OldConversation,
): AsyncGenerator<Uint8Array, void, undefined> {
  const wants = await readSection(reader);
  if (wants === undefined) return;
  const request = await deps.fetchRequests.read(wants, version, () => parseFetchRequest(wants, version));
  const next = request.terms.some((term) => depthQuestion.test(term)) ? undefined : await reader.next();
  if (next?.kind === "data" && pktText(next.data) === "done") {
    const answer = await answerFetch(deps, target, { version, body: Buffer.concat([wants, encode(next)]), enter, signal });
    return yield* answer;
  }
  const store = fetchedStore(deps, target);
  using refs = await takeRefs(deps, store, request);
  yield* streamUploadConversation(refs?.store ?? store, { input: negotiation(wants, next, reader), enter, signal });
}

/** Must be answered before the client continues. Capabilities with similar names have no value. */
const depthQuestion = /^deepen(?:-since|-not)? /;

/** The packets for git: the client's haves, until `done`. */
async function* negotiation(wants: Buffer, first: Pkt | undefined, reader: PktReader): AsyncGenerator<Buffer, void, undefined> {
  yield wants;
  let haves = 0;
  for (let pkt = first ?? (await reader.next()); pkt !== undefined; pkt = await reader.next()) {
    const text = pkt.kind === "data" ? pktText(pkt.data) : "";
    const isHave = text.startsWith("have ") && isOid(text.slice(5));
    if (pkt.kind !== "flush" && text !== "done" && !isHave) throw malformed("the fetch is out of order");
    if (isHave) haves += 1;
    if (haves > defaultFetchLimits.maxHaves) throw tooLarge(`the request has more than ${defaultFetchLimits.maxHaves} haves`);
    yield encode(pkt);
    if (text === "done") return;
  }
}

const encode = (pkt: Pkt): Buffer => (pkt.kind === "data" ? encodePkt(pkt.data) : pkt.kind === "delim" ? delimPkt : flushPkt);

/** Reads packets through the next flush, including it; undefined when the client has finished. */
async function readSection(reader: PktReader): Promise<Buffer | undefined> {
  const frames: Buffer[] = [];
  let sizeBytes = 0;
  for (;;) {
    const pkt = await reader.next();
    if (pkt === undefined && frames.length === 0) return undefined;
    if (pkt === undefined) throw malformed("the request ends within its packets");
    if (pkt.kind === "response-end") throw malformed("the request's packets are out of order");
    if (pkt.kind === "flush") return frames.length === 0 ? undefined : Buffer.concat([...frames, flushPkt]);
    const frame = encode(pkt);
    sizeBytes += frame.length;
    if (sizeBytes > maxFetchBytes) throw tooLarge(`the request is larger than ${maxFetchBytes} bytes`);
    frames.push(frame);
  }
}
