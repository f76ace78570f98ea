import { generateKeyPair } from "node:crypto";
import { promisify } from "node:util";
import { unavailable } from "../../../../core/errors.ts";
import type { Sealer } from "../../../../core/sealer.ts";
import type { Db } from "../../../../db/db.ts";
import { loadOrCreateServerValue } from "../../../../db/server-values.ts";
import { type Claims, type JwtKey, publicJwk, readJwtKey, signJwt, verifyJwt } from "../jwt.ts";

/** Signs tokens with the key that all servers of one database share. */
export interface Signer {
  sign(claims: Claims): Promise<string>;
  /** The claims of an unexpired token of this server. */
  verify(token: string, nowMs: number): Promise<Claims | undefined>;
  /** The public key that verifies id_tokens (RFC 7517). */
  jwks(): Promise<{ readonly keys: readonly Claims[] }>;
}

const name = "oauth2.signing_key";
const makePair = promisify(generateKeyPair);

/** Creates the key on first use and stores it sealed. It is read once. */
export function createSigner({ db, sealer }: { readonly db: Db; readonly sealer: Sealer }): Signer {
  let loaded: Promise<JwtKey> | undefined;
  const key = (): Promise<JwtKey> => {
    loaded ??= load(db, sealer).catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
  return {
    sign: async (claims) => signJwt(await key(), claims),
    verify: async (token, nowMs) => verifyJwt(await key(), token, nowMs),
    jwks: async () => ({ keys: [publicJwk(await key())] }),
  };
}

async function load(db: Db, sealer: Sealer): Promise<JwtKey> {
  const sealed = await loadOrCreateServerValue(db, name, async () => {
    const { privateKey } = await makePair("rsa", { modulusLength: 2_048 });
    return sealer.seal(name, privateKey.export({ type: "pkcs8", format: "pem" }).toString());
  });
  const pem = sealer.open(name, sealed);
  if (pem === undefined) {
    throw unavailable(
      `the key that signs OAuth2 tokens was sealed with another secret key: restore that one, or remove ${name} from server_values for a new one`,
    );
  }
  return readJwtKey(pem);
}
