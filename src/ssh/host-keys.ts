import { createHash } from "node:crypto";
import { unavailable } from "../core/errors.ts";
import type { Sealer } from "../core/sealer.ts";
import type { Db } from "../db/db.ts";
import { loadOrCreateServerValue } from "../db/server-values.ts";

/** A key that identifies the server to clients. */
export interface HostKey {
  readonly kind: string;
  /** OpenSSH format. */
  readonly privateKey: string;
  /** `SHA256:` and the digest, as `ssh-keygen -l` shows it. */
  readonly fingerprint: string;
}

/** All current clients accept the first; the second is for older ones. */
const kinds = [
  { kind: "ED25519", type: "ed25519", options: {} },
  { kind: "ECDSA", type: "ecdsa", options: { bits: 256 } },
] as const;

interface Kept {
  readonly publicKey: string;
  readonly sealed: string;
}

/**
 * The host keys of all servers of one database. They are generated at the first start that needs them, and stored encrypted.
 * @throws ForgeError `unavailable` when they were encrypted with another key: clients would take new host keys for an attack
 */
export async function loadHostKeys({ db, sealer }: { readonly db: Db; readonly sealer: Sealer }): Promise<readonly HostKey[]> {
  const keys: HostKey[] = [];
  for (const { kind, type, options } of kinds) {
    const name = `ssh.host_key.${type}`;
    const kept = JSON.parse(await loadOrCreateServerValue(db, name, async () => JSON.stringify(await makeKey(sealer, name, type, options)))) as Kept;
    const privateKey = sealer.open(name, kept.sealed);
    if (privateKey === undefined) {
      throw unavailable(
        `the SSH host keys were encrypted with another secret key: restore that key, or remove ${name} from server_values to create a new host key`,
      );
    }
    keys.push({ kind, privateKey, fingerprint: fingerprintOf(kept.publicKey) });
  }
  return keys;
}

async function makeKey(sealer: Sealer, name: string, type: (typeof kinds)[number]["type"], options: object): Promise<Kept> {
  // Only a first start needs the library here: it takes longer to load than the rest of a start.
  const { utils } = (await import("ssh2")).default;
  const pair = firstReadable(
    () => utils.generateKeyPairSync(type as "ed25519", options),
    (text) => !(utils.parseKey(text) instanceof Error),
  );
  return { publicKey: pair.public, sealed: sealer.seal(name, pair.private) };
}

interface KeyPair {
  readonly private: string;
  readonly public: string;
}

const maxAttempts = 100;

/** ssh2 1.17 cannot read about one in 300 of the Ed25519 keys that it generates. A server that stored such a key would reject every client. */
export function firstReadable(make: () => KeyPair, isReadable: (privateKey: string) => boolean): KeyPair {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const pair = make();
    if (isReadable(pair.private)) return pair;
  }
  throw new Error("could not generate a readable SSH host key");
}

const fingerprintOf = (publicKey: string): string =>
  `SHA256:${createHash("sha256")
    .update(Buffer.from(publicKey.split(" ")[1] ?? "", "base64"))
    .digest("base64")
    .replace(/=+$/, "")}`;
