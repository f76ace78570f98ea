import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { unavailable } from "../../../../core/errors.ts";
import type { Sealer } from "../../../../core/sealer.ts";
import type { Db } from "../../../../db/db.ts";
import { loadOrCreateServerValue } from "../../../../db/server-values.ts";
import type { SignObject } from "../../../../git/objects/format.ts";
import { parsePublicKey } from "../public-key.ts";
import { signForGit } from "../ssh-signature.ts";

/** The key with which the server signs what it commits and tags for people under their own names. */
export interface ServerSigner {
  /** One line, as a `.pub` file has it. */
  readonly publicKey: string;
  readonly fingerprint: string;
  readonly sign: SignObject;
}

const name = "commit_signing.ssh_key";
/** In front of the 32 bytes of the key: two texts with their lengths (RFC 8709 4). */
const ed25519Prefix = Buffer.from("\0\0\0\x0bssh-ed25519\0\0\0\x20", "latin1");

/** An Ed25519 key that the first server of a database makes, sealed there. @throws ForgeError `unavailable` where another key sealed it */
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
