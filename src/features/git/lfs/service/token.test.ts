import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createSealer } from "../../../../core/sealer.ts";
import { looksLikeLfsToken, makeLfsToken, readLfsToken } from "./token.ts";

const sealer = createSealer(randomBytes(32));
const pass = { keyId: 3, repoId: 4, operation: "upload", expiresMs: 10_000 } as const;

test("an LFS token keeps its content until it expires", () => {
  const header = makeLfsToken(sealer, pass);
  expect(readLfsToken(sealer, header, 9_999)).toEqual(pass);
  expect(readLfsToken(sealer, header, 10_000)).toBeUndefined();
});

test("rejects every token that this server did not issue", () => {
  const header = makeLfsToken(sealer, pass);
  expect(readLfsToken(createSealer(randomBytes(32)), header, 0)).toBeUndefined();
  expect(readLfsToken(sealer, `${header.slice(0, -2)}AA`, 0)).toBeUndefined();
  expect(readLfsToken(sealer, `RemoteAuth ${sealer.seal("another purpose", JSON.stringify([3, 4, "upload", 10_000]))}`, 0)).toBeUndefined();
  for (const text of [undefined, "", "RemoteAuth ", "RemoteAuth s1.AAAA", header.replace("RemoteAuth", "Bearer")])
    expect(readLfsToken(sealer, text, 0)).toBeUndefined();
  expect([looksLikeLfsToken(header), looksLikeLfsToken("RemoteAuth x"), looksLikeLfsToken("Basic x"), looksLikeLfsToken(undefined)]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
