import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { promisify } from "node:util";

/** JSON Web Tokens signed with one RS256 key (RFC 7515, 7519). No other algorithm is accepted, whatever a token's header says. */
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

/** Signing takes a millisecond, so it does not run on the event loop. */
export async function signJwt(key: JwtKey, claims: Claims): Promise<string> {
  const signed = `${encode({ alg: "RS256", kid: key.id, typ: "JWT" })}.${encode(claims)}`;
  const signature = await signAsync("sha256", Buffer.from(signed), key.privateKey);
  return `${signed}.${signature.toString("base64url")}`;
}

/** No user's access token or plausible password has this form. */
const form = /^(eyJ[\w-]{1,500})\.([\w-]{1,4000})\.([\w-]{300,400})$/;

/** @returns the claims of an unexpired token signed by the key; undefined for anything else */
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
