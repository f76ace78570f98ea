import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createSealer } from "../../../../core/sealer.ts";
import { looksLikePass, makePass, readPass } from "./pass.ts";

const sealer = createSealer(randomBytes(32));
const pass = { keyId: 3, repoId: 4, operation: "upload", expiresMs: 10_000 } as const;

test("a pass holds what it was made for, until it ends", () => {
  const header = makePass(sealer, pass);
  expect(readPass(sealer, header, 9_999)).toEqual(pass);
  expect(readPass(sealer, header, 10_000)).toBeUndefined();
});

test("what this server has not made is no pass, whatever it looks like", () => {
  const header = makePass(sealer, pass);
  expect(readPass(createSealer(randomBytes(32)), header, 0)).toBeUndefined();
  expect(readPass(sealer, `${header.slice(0, -2)}AA`, 0)).toBeUndefined();
  expect(readPass(sealer, `RemoteAuth ${sealer.seal("another purpose", JSON.stringify([3, 4, "upload", 10_000]))}`, 0)).toBeUndefined();
  for (const text of [undefined, "", "RemoteAuth ", "RemoteAuth s1.AAAA", header.replace("RemoteAuth", "Bearer")])
    expect(readPass(sealer, text, 0)).toBeUndefined();
  expect([looksLikePass(header), looksLikePass("RemoteAuth x"), looksLikePass("Basic x"), looksLikePass(undefined)]).toEqual([true, true, false, false]);
});
