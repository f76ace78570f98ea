import { ByteReader, FormatProblem, uint32 } from "./bytes.ts";

/** A packet (RFC 9580 4), the element of OpenPGP keys and signatures. */
export interface Packet {
  readonly tag: number;
  readonly body: Buffer;
}

export const packetTags = {
  signature: 2,
  secretKey: 5,
  publicKey: 6,
  secretSubkey: 7,
  marker: 10,
  trust: 12,
  userId: 13,
  publicSubkey: 14,
  userAttribute: 17,
} as const;

/** Keys with many third-party signatures have thousands. */
const maxPackets = 20_000;

/** @throws FormatProblem for bytes that are not a sequence of packets of known length */
export function readPackets(bytes: Buffer): Packet[] {
  const packets: Packet[] = [];
  const reader = new ByteReader(bytes);
  while (!reader.isAtEnd) {
    if (packets.length === maxPackets) throw new FormatProblem("it has too many packets");
    const first = reader.uint(1);
    if ((first & 0x80) === 0) throw new FormatProblem("it is not a sequence of packets");
    const [tag, length] = (first & 0x40) === 0 ? [(first >> 2) & 15, oldLength(reader, first & 3)] : [first & 63, newLength(reader)];
    packets.push({ tag, body: reader.take(length) });
  }
  return packets;
}

function oldLength(reader: ByteReader, type: number): number {
  if (type === 3) throw new FormatProblem("one of its packets has no length");
  return reader.uint(type === 0 ? 1 : type === 1 ? 2 : 4);
}

function newLength(reader: ByteReader): number {
  const first = reader.uint(1);
  if (first < 192) return first;
  if (first < 224) return ((first - 192) << 8) + reader.uint(1) + 192;
  if (first === 255) return reader.uint(4);
  throw new FormatProblem("one of its packets has no length");
}

/** A packet with a header of the current format. */
export function writePacket({ tag, body }: Packet): Buffer {
  const { length } = body;
  const header = length < 192 ? [length] : length < 8384 ? [((length - 192) >> 8) + 192, (length - 192) & 255] : [255, ...uint32(length)];
  return Buffer.concat([Buffer.from([0xc0 | tag, ...header]), body]);
}
