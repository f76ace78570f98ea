import type { Connection } from "ssh2";

/** The algorithms of user keys whose signatures are accepted. SHA-1 (`ssh-rsa`) and DSA are not among them. */
const signatureAlgorithms = [
  "ssh-ed25519",
  "sk-ssh-ed25519@openssh.com",
  "ecdsa-sha2-nistp256",
  "ecdsa-sha2-nistp384",
  "ecdsa-sha2-nistp521",
  "sk-ecdsa-sha2-nistp256@openssh.com",
  "rsa-sha2-512",
  "rsa-sha2-256",
] as const;

const messageExtInfo = 7;

const written = (text: string): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  return Buffer.concat([length, Buffer.from(text, "latin1")]);
};

/** SSH_MSG_EXT_INFO with the extension `server-sig-algs` (RFC 8308, 2.3 and 3.1). */
const extInfo = Buffer.concat([Buffer.from([messageExtInfo, 0, 0, 0, 1]), written("server-sig-algs"), written(signatureAlgorithms.join(","))]);

/** Private members of the library's connection that send a packet. Its version is pinned, and a test with OpenSSH's client covers them. */
interface Internals {
  readonly _protocol: {
    _onHandshakeComplete: (...args: readonly unknown[]) => void;
    readonly _kex: { remoteExtInfoEnabled: boolean };
    readonly _packetRW: { readonly write: { readonly allocStart: number; alloc(size: number): Buffer; finalize(packet: Buffer): Buffer } };
    readonly _cipher: { encrypt(packet: Buffer): void };
  };
}

/**
 * Sends the client the signature algorithms that this server accepts, in place of the list of ssh2 1.17.0. That list lacks a comma before
 * `rsa-sha2-512`, so a client that is limited to this algorithm does not try its key, and it contains `ssh-rsa` and `ssh-dss`, which are
 * rejected. Must be called before the first key exchange.
 */
export function announceSignatureAlgorithms(client: Connection): void {
  const protocol = (client as unknown as Internals)._protocol;
  const complete = protocol._onHandshakeComplete;
  protocol._onHandshakeComplete = (...args) => {
    // EXT_INFO is only sent after the first key exchange.
    protocol._onHandshakeComplete = complete;
    const isWanted = protocol._kex.remoteExtInfoEnabled;
    protocol._kex.remoteExtInfoEnabled = false;
    complete(...args);
    if (!isWanted) return;
    const { write } = protocol._packetRW;
    const packet = write.alloc(extInfo.length);
    packet.set(extInfo, write.allocStart);
    protocol._cipher.encrypt(write.finalize(packet));
  };
}
