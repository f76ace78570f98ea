import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";

/** JSON Web Tokens signed with one RS256 key (RFC 7515, 7519). No other algorithm is accepted, whatever a token's header says. */
export interface JwtKey {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** Thumbprint of the public key (RFC 7638). */
  readonly id: string;
}

export type Claims = Readonly<Record<string, unknown>>;

/** Loaded on demand: most servers do not use it. It signs and verifies outside of the event loop. */
const jose = () => import("jose");

/** @param pem the private RSA key, PKCS #8 */
export async function readJwtKey(pem: string): Promise<JwtKey> {
  const privateKey = createPrivateKey(pem);
  const publicKey = createPublicKey(privateKey);
  return { privateKey, publicKey, id: await (await jose()).calculateJwkThumbprint(publicKey) };
}

export const publicJwk = ({ publicKey, id }: JwtKey): Claims => ({ ...publicKey.export({ format: "jwk" }), alg: "RS256", kid: id, use: "sig" });

export async function signJwt(key: JwtKey, claims: Claims): Promise<string> {
  const { SignJWT } = await jose();
  return new SignJWT({ ...claims }).setProtectedHeader({ alg: "RS256", kid: key.id, typ: "JWT" }).sign(key.privateKey);
}

/** No user's access token or plausible password has this form. */
const form = /^eyJ[\w-]{1,500}\.[\w-]{1,4000}\.[\w-]{300,400}$/;

/** @returns the claims of an unexpired token signed by the key; undefined for anything else */
export async function verifyJwt(key: JwtKey, token: string, nowMs: number): Promise<Claims | undefined> {
  if (!form.test(token)) return undefined;
  const { errors, jwtVerify } = await jose();
  const terms = { algorithms: ["RS256"], typ: "JWT", requiredClaims: ["exp"], currentDate: new Date(nowMs) };
  try {
    const { payload, protectedHeader } = await jwtVerify(token, key.publicKey, terms);
    return protectedHeader.kid === key.id ? payload : undefined;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
