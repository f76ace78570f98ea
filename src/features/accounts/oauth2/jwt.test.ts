import { createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { expect, test } from "vitest";
import { type Claims, type JwtKey, publicJwk, readJwtKey, signJwt, verifyJwt } from "./jwt.ts";

const makeKey = (): Promise<JwtKey> =>
  readJwtKey(generateKeyPairSync("rsa", { modulusLength: 2_048 }).privateKey.export({ type: "pkcs8", format: "pem" }).toString());
const key = await makeKey();
const now = 1_700_000_000_000;
const claims = { gnt: 1, tt: 0, exp: now / 1_000 + 60 };

const encode = (value: Claims): string => Buffer.from(JSON.stringify(value)).toString("base64url");
/** A token forged by an attacker. */
function forge(header: Claims, payload: Claims, signer: (text: string) => Buffer): string {
  const text = `${encode(header)}.${encode(payload)}`;
  return `${text}.${signer(text).toString("base64url")}`;
}
const withKey = (privateKey: KeyObject) => (text: string) => sign("sha256", Buffer.from(text), privateKey);
const header = { alg: "RS256", kid: key.id, typ: "JWT" };

test("verifies a signed token until it expires", async () => {
  const token = await signJwt(key, claims);
  expect(await verifyJwt(key, token, now)).toEqual(claims);
  expect(await verifyJwt(key, token, now + 59_999)).toEqual(claims);
  expect(await verifyJwt(key, token, now + 60_000)).toBeUndefined();
  expect(await verifyJwt(key, forge(header, claims, withKey(key.privateKey)), now)).toEqual(claims);
});

test("rejects tokens of other signers with any header", async () => {
  const other = await makeKey();
  const pem = key.publicKey.export({ type: "spki", format: "pem" }).toString();
  const forged = [
    await signJwt(other, claims),
    forge(header, claims, withKey(other.privateKey)),
    forge({ ...header, alg: "none" }, claims, () => Buffer.alloc(0)),
    forge({ ...header, alg: "none" }, claims, withKey(other.privateKey)),
    forge({ ...header, alg: "HS256" }, claims, (text) => createHmac("sha256", pem).update(text).digest()),
    forge({ ...header, alg: "HS256" }, claims, (text) => Buffer.concat([createHmac("sha256", pem).update(text).digest(), Buffer.alloc(224)])),
    forge({ ...header, kid: "../../dev/null" }, claims, withKey(key.privateKey)),
    forge({ alg: "RS256", typ: "JWT" }, claims, withKey(key.privateKey)),
    forge({ ...header, jwk: publicJwk(other) }, claims, withKey(other.privateKey)),
    forge({ ...header, typ: "at+jwt" }, claims, withKey(key.privateKey)),
    forge(header, { gnt: 1, tt: 0 }, withKey(key.privateKey)),
    forge(header, { ...claims, exp: "9999999999" }, withKey(key.privateKey)),
  ];
  for (const [index, token] of forged.entries()) expect(await verifyJwt(key, token, now), String(index)).toBeUndefined();
});

test("rejects an altered token", async () => {
  const token = await signJwt(key, claims);
  const [head = "", , signature = ""] = token.split(".");
  expect(await verifyJwt(key, `${head}.${encode({ ...claims, gnt: 2 })}.${signature}`, now)).toBeUndefined();
  for (const text of ["", "eyJ", "a.b.c", `${token}.x`, `${token}=`, ` ${token}`, token.slice(0, -1), "eyJ!.!.!"])
    expect(await verifyJwt(key, text, now), text).toBeUndefined();
});

test("publishes only the public part of the key", () => {
  expect(Object.keys(publicJwk(key)).sort()).toEqual(["alg", "e", "kid", "kty", "n", "use"]);
});
