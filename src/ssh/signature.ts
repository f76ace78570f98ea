import type { PublicKeyAuthContext } from "ssh2";

const written = (bytes: Uint8Array | string): Buffer => {
  const content = Buffer.from(bytes as Uint8Array);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  return Buffer.concat([length, content]);
};

/**
 * The signature as the client sent it (RFC 4253 6.6). The library strips its name and converts those of elliptic curves, except for certificates,
 * which it does not know.
 * @returns undefined without a signature
 */
export function signatureOf({ key, signature, hashAlgo }: PublicKeyAuthContext): Buffer | undefined {
  if (signature === undefined) return undefined;
  if (key.algo.endsWith("-cert-v01@openssh.com")) return signature;
  // RSA signatures with a digest other than SHA-1 have the digest in their name.
  const name = key.algo === "ssh-rsa" && hashAlgo !== undefined ? `rsa-sha2-${hashAlgo.replace("sha", "")}` : key.algo;
  if (key.algo.startsWith("ecdsa-")) return Buffer.concat([written(name), written(Buffer.concat(integersOf(signature).map(written)))]);
  if (!key.algo.startsWith("sk-")) return Buffer.concat([written(name), written(signature)]);
  // A hardware key appends a byte of flags and a counter.
  const own = signature.subarray(0, -5);
  return Buffer.concat([written(name), written(own), signature.subarray(-5)]);
}

/** The integers r and s of the DER sequence in which the library encodes a signature. */
function integersOf(der: Buffer): Buffer[] {
  const integers: Buffer[] = [];
  let at = contentOf(der, 0).start;
  while (at < der.length) {
    const { start, end } = contentOf(der, at);
    integers.push(der.subarray(start, end));
    at = end;
  }
  return integers;
}

function contentOf(der: Buffer, at: number): { readonly start: number; readonly end: number } {
  const first = der[at + 1] ?? 0;
  const lengthBytes = first < 0x80 ? 0 : first - 0x80;
  const start = at + 2 + lengthBytes;
  const length = lengthBytes === 0 ? first : der.readUIntBE(at + 2, lengthBytes);
  return { start, end: Math.max(start + length, at + 2) };
}
