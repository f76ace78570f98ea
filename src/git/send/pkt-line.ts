import { malformed } from "../../core/errors.ts";

/** Frames of git's wire protocols (gitprotocol-common): a length of four hex digits that includes itself, then the payload. */

/** Maximum payload of one frame; its length field is then 65520. */
export const maxPktPayloadBytes = 65516;

export const flushPkt: Buffer = Buffer.from("0000");
export const delimPkt: Buffer = Buffer.from("0001");
export const responseEndPkt: Buffer = Buffer.from("0002");

export type Pkt = { readonly kind: "data"; readonly data: Buffer } | { readonly kind: "flush" | "delim" | "response-end" };

const markers = ["flush", "delim", "response-end"] as const;

/** @throws RangeError if the payload exceeds one frame. Frames are built by the server, so that is a bug. */
export function encodePkt(payload: string | Uint8Array): Buffer {
  const sizeBytes = typeof payload === "string" ? Buffer.byteLength(payload) : payload.length;
  if (sizeBytes > maxPktPayloadBytes) throw new RangeError(`a pkt-line frame holds at most ${maxPktPayloadBytes} bytes, not ${sizeBytes}`);
  const frame = Buffer.allocUnsafe(sizeBytes + 4);
  writeLength(frame, 0, sizeBytes + 4);
  if (typeof payload === "string") frame.write(payload, 4);
  else frame.set(payload, 4);
  return frame;
}

/** Encodes many frames into one buffer, so that thousands of advertised refs are one write. */
export function encodePkts(payloads: readonly (string | Uint8Array)[]): Buffer {
  return encodeAscii(payloads) ?? Buffer.concat(payloads.map(encodePkt));
}

/** Undefined if a payload is not ASCII, or too long. A buffer for each frame would take several times as long. */
function encodeAscii(payloads: readonly (string | Uint8Array)[]): Buffer | undefined {
  let text = "";
  for (const payload of payloads) {
    if (typeof payload !== "string" || payload.length > maxPktPayloadBytes) return undefined;
    text += lengthText(payload.length + 4) + payload;
  }
  const bytes = Buffer.from(text);
  return bytes.length === text.length ? bytes : undefined;
}

const lengthText = (length: number): string => length.toString(16).padStart(4, "0");

function writeLength(frame: Buffer, offset: number, length: number): void {
  frame.write(lengthText(length), offset, "latin1");
}

/** A packet as a string, without its optional trailing newline. Invalid UTF-8 is replaced. */
export function pktText(data: Buffer): string {
  const end = data.length > 0 && data[data.length - 1] === 0x0a ? data.length - 1 : data.length;
  return data.toString("utf8", 0, end);
}

export interface PktReader {
  /** The next packet, or undefined at the end of the input. @throws ForgeError `malformed` for a broken or truncated frame */
  next(): Promise<Pkt | undefined>;
  /** Streams all unread bytes: a pack follows the commands of a push. The reader cannot be used afterwards. */
  rest(): AsyncGenerator<Buffer, void, undefined>;
  /** Bytes consumed as packets so far. */
  consumedBytes(): number;
}

export interface PktReaderOptions {
  /** Maximum bytes read as packets, beyond which the input is rejected with `malformed`; `rest` is not counted. */
  maxBytes?: number;
}

/** Reads packets from a stream with arbitrary chunk boundaries. */
export function createPktReader(source: AsyncIterable<Uint8Array>, options: PktReaderOptions = {}): PktReader {
  const input = source[Symbol.asyncIterator]();
  const maxBytes = options.maxBytes ?? Number.POSITIVE_INFINITY;
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let consumedBytes = 0;

  /** Waits for `wanted` bytes; returns whether they are available. */
  async function fill(wanted: number): Promise<boolean> {
    while (pendingBytes < wanted) {
      const step = await input.next();
      if (step.done === true) return false;
      if (step.value.length === 0) continue;
      const chunk = asBuffer(step.value);
      pending.push(chunk);
      pendingBytes += chunk.length;
    }
    return true;
  }

  /** Takes bytes that `fill` provided; copies only across chunks. */
  function take(sizeBytes: number): Buffer {
    pendingBytes -= sizeBytes;
    const first = pending[0];
    if (first !== undefined && first.length >= sizeBytes) {
      if (first.length === sizeBytes) pending.shift();
      else pending[0] = first.subarray(sizeBytes);
      return first.subarray(0, sizeBytes);
    }
    const joined = Buffer.concat(pending);
    pending = joined.length === sizeBytes ? [] : [joined.subarray(sizeBytes)];
    return joined.subarray(0, sizeBytes);
  }

  return {
    consumedBytes: () => consumedBytes,
    async next(): Promise<Pkt | undefined> {
      if (!(await fill(4))) {
        if (pendingBytes === 0) return undefined;
        throw malformed("the request ends within a packet");
      }
      const length = parseLength(take(4));
      consumedBytes += Math.max(length, 4);
      if (consumedBytes > maxBytes) throw malformed(`the request has more than ${maxBytes} bytes of packets`);
      const marker = markers[length];
      if (marker !== undefined) return { kind: marker };
      if (!(await fill(length - 4))) throw malformed("the request ends within a packet");
      return { kind: "data", data: length === 4 ? Buffer.alloc(0) : take(length - 4) };
    },
    async *rest(): AsyncGenerator<Buffer, void, undefined> {
      const buffered = pending;
      pending = [];
      pendingBytes = 0;
      try {
        yield* buffered;
        for (let step = await input.next(); step.done !== true; step = await input.next()) {
          if (step.value.length > 0) yield asBuffer(step.value);
        }
      } finally {
        await input.return?.();
      }
    },
  };
}

function asBuffer(chunk: Uint8Array): Buffer {
  return Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}

/** Parses digit by digit: a fetch has hundreds of packets, and a string for each would cost more than the packet. */
function parseLength(bytes: Buffer, offset = 0): number {
  let length = 0;
  for (let at = offset; at < offset + 4; at += 1) length = length * 16 + hexDigit(bytes[at] as number);
  if (length === 3 || length > maxPktPayloadBytes + 4) throw malformed(`a packet length of ${length} bytes is not valid`);
  return length;
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  if (letter >= 0x61 && letter <= 0x66) return letter - 0x57;
  throw malformed("a packet's length is not four hex digits");
}

/** All packets of a buffer. @throws ForgeError `malformed` */
export function* decodePkts(data: Buffer): Generator<Pkt, void, undefined> {
  let offset = 0;
  while (offset < data.length) {
    if (data.length - offset < 4) throw malformed("the request ends within a packet");
    const length = parseLength(data, offset);
    const marker = markers[length];
    if (marker !== undefined) {
      offset += 4;
      yield { kind: marker };
      continue;
    }
    if (offset + length > data.length) throw malformed("the request ends within a packet");
    yield { kind: "data", data: data.subarray(offset + 4, offset + length) };
    offset += length;
  }
}
