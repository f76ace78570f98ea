import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { constants, zstdCompress, zstdDecompress } from "node:zlib";

/** Objects of the log in the bucket: a magic line, a JSON header, a compressed body, and a SHA-256 of all of it. */

export interface Sealed {
  readonly bytes: Buffer;
  /** SHA-256 as hex. Names the object in its successor. */
  readonly digest: string;
}

export interface Unsealed<Header> {
  readonly header: Header;
  readonly body: Buffer;
  readonly digest: string;
}

const magic = Buffer.from("hearth log 1\n");
const digestBytes = 32;
const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
/** The fastest level: the bytes are sent at once. */
const options = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

export async function seal(header: object, parts: readonly Uint8Array[]): Promise<Sealed> {
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  const body = await compress(Buffer.concat(parts), options);
  const content = [magic, length, text, body];
  const hash = createHash("sha256");
  for (const part of content) hash.update(part);
  const digest = hash.digest();
  return { bytes: Buffer.concat([...content, digest]), digest: digest.toString("hex") };
}

/** @returns undefined if the bytes are not those that {@link seal} returned */
export async function unseal<Header>(bytes: Buffer): Promise<Unsealed<Header> | undefined> {
  const end = bytes.length - digestBytes;
  if (end < magic.length + 4 || !bytes.subarray(0, magic.length).equals(magic)) return undefined;
  const digest = createHash("sha256").update(bytes.subarray(0, end)).digest();
  if (!digest.equals(bytes.subarray(end))) return undefined;
  const bodyStart = magic.length + 4 + bytes.readUInt32BE(magic.length);
  const header = JSON.parse(bytes.toString("utf8", magic.length + 4, bodyStart)) as Header;
  return { header, body: await decompress(bytes.subarray(bodyStart, end)), digest: digest.toString("hex") };
}
