import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";

/** A security key: its public key file, and an SSH agent that acts for the device. Disposing stops the agent. */
export interface SecurityKey extends AsyncDisposable {
  readonly publicKey: string;
  /** Path of the agent's socket. */
  readonly socket: string;
}

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const written = (bytes: Uint8Array | string): Buffer => Buffer.concat([uint32(Buffer.from(bytes as Uint8Array).length), Buffer.from(bytes as Uint8Array)]);
const sha256 = (bytes: Uint8Array | string): Buffer => createHash("sha256").update(bytes).digest();
/** RFC 4251: a number whose first bit is set has a leading zero byte. */
const mpint = (bytes: Buffer): Buffer => {
  const from = bytes.findIndex((byte) => byte !== 0);
  const bare = bytes.subarray(from);
  return written((bare[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), bare]) : bare);
};

const application = "ssh:";

/**
 * Creates a key as on a hardware device (OpenSSH, PROTOCOL.u2f), and an agent for it.
 * @param isTouched whether the user touches the device to sign
 */
export async function startSecurityKey(socket: string, kind: "ed25519" | "ecdsa", isTouched = true): Promise<SecurityKey> {
  const { blob, signature } = kind === "ed25519" ? makeEdwards() : makeElliptic();
  const answer = (message: Buffer): Buffer => {
    // Type 11 requests the keys, 13 a signature: key, bytes, flags.
    if (message[0] === 11) return Buffer.concat([Buffer.of(12), uint32(1), written(blob), written("device")]);
    if (message[0] !== 13) return Buffer.of(5);
    const keyEnd = 5 + message.readUInt32BE(1);
    const data = message.subarray(keyEnd + 4, keyEnd + 4 + message.readUInt32BE(keyEnd));
    const tail = Buffer.concat([Buffer.of(isTouched ? 1 : 0), uint32(7)]);
    return Buffer.concat([Buffer.of(14), written(signature(Buffer.concat([sha256(application), tail, sha256(data)]), tail))]);
  };
  const server = createServer((client) => serve(client, answer)).listen(socket);
  await once(server, "listening");
  return {
    publicKey: `${blob.toString("latin1", 4, 4 + blob.readUInt32BE(0))} ${blob.toString("base64")} device`,
    socket,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function serve(client: Socket, answer: (message: Buffer) => Buffer): void {
  let pending = Buffer.alloc(0);
  client.on("error", () => client.destroy());
  client.on("data", (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= 4 && pending.length >= 4 + pending.readUInt32BE(0)) {
      const end = 4 + pending.readUInt32BE(0);
      client.write(written(answer(pending.subarray(4, end))));
      pending = pending.subarray(end);
    }
  });
}

interface Device {
  readonly blob: Buffer;
  signature(asserted: Buffer, tail: Buffer): Buffer;
}

function makeEdwards(): Device {
  const name = "sk-ssh-ed25519@openssh.com";
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const { x = "" } = publicKey.export({ format: "jwk" });
  return {
    blob: Buffer.concat([written(name), written(Buffer.from(x, "base64url")), written(application)]),
    signature: (asserted, tail) => Buffer.concat([written(name), written(sign(null, asserted, privateKey)), tail]),
  };
}

function makeElliptic(): Device {
  const name = "sk-ecdsa-sha2-nistp256@openssh.com";
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]);
  return {
    blob: Buffer.concat([written(name), written("nistp256"), written(point), written(application)]),
    signature(asserted, tail) {
      const plain = sign("sha256", asserted, { key: privateKey, dsaEncoding: "ieee-p1363" });
      return Buffer.concat([written(name), written(Buffer.concat([mpint(plain.subarray(0, 32)), mpint(plain.subarray(32))])), tail]);
    },
  };
}
