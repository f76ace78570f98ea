import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { unavailable } from "../../../../core/errors.ts";
import type { Sealer } from "../../../../core/sealer.ts";
import type { Db } from "../../../../db/db.ts";
import { loadOrCreateServerValue } from "../../../../db/server-values.ts";
import type { SignObject } from "../../../../git/objects/format.ts";
import { parsePublicKey } from "../public-key.ts";
import { signForGit } from "../ssh-signature.ts";

/** The key with which the server signs commits and tags that users make on the web under their own names. */
export interface ServerSigner {
  /** One line in the format of a `.pub` file. */
  readonly publicKey: string;
  readonly fingerprint: string;
  readonly sign: SignObject;
}

const name = "commit_signing.ssh_key";
/** The prefix of the 32 key bytes: two length-prefixed strings (RFC 8709 4). */
const ed25519Prefix = Buffer.from("\0\0\0\x0bssh-ed25519\0\0\0\x20", "latin1");

/**
 * Opens the Ed25519 key, which the first server of a database creates and seals.
 * @throws ForgeError `unavailable` if it was sealed with another key
 */
export async function openServerSigner({ db, sealer }: { readonly db: Db; readonly sealer: Sealer }): Promise<ServerSigner> {
  const sealed = await loadOrCreateServerValue(db, name, async () => sealer.seal(name, newKey()));
  const pem = sealer.open(name, sealed);
  if (pem === undefined)
    throw unavailable(`the key that signs commits was sealed with another secret key: restore that one, or remove ${name} from server_values for a new key`);
  const key = createPrivateKey(pem);
  const blob = Buffer.concat([ed25519Prefix, publicBytes(key)]);
  const { content, fingerprint } = parsePublicKey(`ssh-ed25519 ${blob.toString("base64")}`);
  return { publicKey: content, fingerprint, sign: (data) => signForGit(key, blob, data) };
}

const newKey = (): string => generateKeyPairSync("ed25519").privateKey.export({ format: "pem", type: "pkcs8" }).toString();

const publicBytes = (key: KeyObject): Buffer => Buffer.from(key.export({ format: "jwk" }).x ?? "", "base64url");
