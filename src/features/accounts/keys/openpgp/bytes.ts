/** Bytes that are truncated or invalid. */
export class FormatProblem extends Error {}

/** Reads numbers and byte ranges from the front of a buffer; throws {@link FormatProblem} beyond its end. */
export class ByteReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get position(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  take(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new FormatProblem("it ends too early");
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }

  uint(bytes: 1 | 2 | 4): number {
    return this.take(bytes).readUIntBE(0, bytes);
  }

  rest(): Buffer {
    return this.take(this.#bytes.length - this.#at);
  }

  /** A multiprecision integer without leading zeros: its length in bits and its bytes (RFC 9580 3.2). */
  mpi(): Buffer {
    return this.take(Math.ceil(this.uint(2) / 8));
  }
}

export const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

export const uint16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);

/** A number padded to its full width; undefined if it is wider. */
export function padded(number: Buffer, length: number): Buffer | undefined {
  if (number.length > length) return undefined;
  return number.length === length ? number : Buffer.concat([Buffer.alloc(length - number.length), number]);
}
