import { createHash } from "node:crypto";
import { unavailable } from "../core/errors.ts";
import type { Sealer } from "../core/sealer.ts";
import type { Db } from "../db/db.ts";
import { loadOrCreateServerValue } from "../db/server-values.ts";

/** A key by which clients know the server. */
export interface HostKey {
  readonly kind: string;
  /** OpenSSH's format. */
  readonly privateKey: string;
  /** `SHA256:` and the digest, as `ssh-keygen -l` shows it. */
  readonly fingerprint: string;
}

/** The first is what every client of today takes; the second is for those that do not know it yet. */
const kinds = [
  { kind: "ED25519", type: "ed25519", options: {} },
  { kind: "ECDSA", type: "ecdsa", options: { bits: 256 } },
] as const;

interface Kept {
  readonly publicKey: string;
  readonly sealed: string;
}

/**
 * The keys of all servers of one database: made at the first start that asks for them, sealed where they are kept.
 * @throws ForgeError `unavailable` when they were sealed with another key: new ones would look like an impostor's to every client
 */
export async function loadHostKeys({ db, sealer }: { readonly db: Db; readonly sealer: Sealer }): Promise<readonly HostKey[]> {
  const keys: HostKey[] = [];
  for (const { kind, type, options } of kinds) {
    const name = `ssh.host_key.${type}`;
    const kept = JSON.parse(await loadOrCreateServerValue(db, name, async () => JSON.stringify(await makeKey(sealer, name, type, options)))) as Kept;
    const privateKey = sealer.open(name, kept.sealed);
    if (privateKey === undefined) {
      throw unavailable(`the SSH host keys were sealed with another secret key: restore that one, or remove ${name} from server_values for a new host key`);
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

/** One of some 300 Ed25519 keys that ssh2 1.17 makes it cannot read itself: a server that kept it would turn every client away. */
export function firstReadable(make: () => KeyPair, isReadable: (privateKey: string) => boolean): KeyPair {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const pair = make();
    if (isReadable(pair.private)) return pair;
  }
  throw new Error("no SSH host key could be made that can be read");
}

const fingerprintOf = (publicKey: string): string =>
  `SHA256:${createHash("sha256")
    .update(Buffer.from(publicKey.split(" ")[1] ?? "", "base64"))
    .digest("base64")
    .replace(/=+$/, "")}`;
