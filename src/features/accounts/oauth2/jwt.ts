import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { promisify } from "node:util";

/** JSON Web Tokens signed by RS256 with one key (RFC 7515, 7519): no other algorithm is read, whatever a token's header says. */
export interface JwtKey {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** Thumbprint of the public key (RFC 7638). */
  readonly id: string;
}

export type Claims = Readonly<Record<string, unknown>>;

/** @param pem the private RSA key, PKCS #8 */
export function readJwtKey(pem: string): JwtKey {
  const privateKey = createPrivateKey(pem);
  const publicKey = createPublicKey(privateKey);
  const { e, kty, n } = publicKey.export({ format: "jwk" });
  const id = createHash("sha256").update(JSON.stringify({ e, kty, n })).digest("base64url");
  return { privateKey, publicKey, id };
}

export const publicJwk = ({ publicKey, id }: JwtKey): Claims => ({ ...publicKey.export({ format: "jwk" }), alg: "RS256", kid: id, use: "sig" });

const signAsync = promisify<string, Buffer, KeyObject, Buffer>(sign);
const encode = (value: Claims): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Signing takes a millisecond, which is not the event loop's. */
export async function signJwt(key: JwtKey, claims: Claims): Promise<string> {
  const signed = `${encode({ alg: "RS256", kid: key.id, typ: "JWT" })}.${encode(claims)}`;
  const signature = await signAsync("sha256", Buffer.from(signed), key.privateKey);
  return `${signed}.${signature.toString("base64url")}`;
}

/** A text of this form can be no access token of users, and no password that anybody would choose. */
const form = /^(eyJ[\w-]{1,500})\.([\w-]{1,4000})\.([\w-]{300,400})$/;

/** @returns the claims of a token that the key has signed and that has not expired; undefined for any other text */
export function verifyJwt(key: JwtKey, token: string, nowMs: number): Claims | undefined {
  const [, header = "", payload = "", signature = ""] = form.exec(token) ?? [];
  if (header === "") return undefined;
  const { alg, kid, typ } = parse(header);
  if (alg !== "RS256" || kid !== key.id || typ !== "JWT") return undefined;
  if (!verify("sha256", Buffer.from(`${header}.${payload}`), key.publicKey, Buffer.from(signature, "base64url"))) return undefined;
  const claims = parse(payload);
  return typeof claims.exp === "number" && claims.exp * 1_000 > nowMs ? claims : undefined;
}

function parse(part: string): Claims {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    return typeof value === "object" && value !== null ? (value as Claims) : {};
  } catch {
    return {};
  }
}
