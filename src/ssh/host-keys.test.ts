import { randomBytes } from "node:crypto";
import ssh2 from "ssh2";
import { expect, test } from "vitest";
import { eachDialect } from "../../test/kit/databases.ts";
import { createSealer } from "../core/sealer.ts";
import { firstReadable, loadHostKeys } from "./host-keys.ts";

eachDialect((dialect) => {
  test("host keys are created once for all servers of a database, and stored encrypted", async () => {
    await using database = await dialect.open();
    const { db } = database;
    const sealer = createSealer(randomBytes(32));
    const [first, second] = await Promise.all([loadHostKeys({ db, sealer }), loadHostKeys({ db, sealer })]);
    expect(first).toEqual(second);
    expect(await loadHostKeys({ db, sealer })).toEqual(first);
    expect(first.map(({ kind }) => kind)).toEqual(["ED25519", "ECDSA"]);
    for (const { fingerprint, privateKey } of first) {
      expect(fingerprint).toMatch(/^SHA256:[A-Za-z0-9+/]{43}$/);
      expect(privateKey).toContain("PRIVATE KEY");
    }
    const kept = await db.sql.selectFrom("server_values").selectAll().where("name", "like", "ssh.%").execute();
    expect(kept).toHaveLength(2);
    expect(JSON.stringify(kept)).not.toContain("PRIVATE KEY");
  });

  test("a different secret key decrypts no host key and does not replace it", async () => {
    await using database = await dialect.open();
    const { db } = database;
    const sealer = createSealer(randomBytes(32));
    const keys = await loadHostKeys({ db, sealer });
    await expect(loadHostKeys({ db, sealer: createSealer(randomBytes(32)) })).rejects.toThrow("the SSH host keys were encrypted with another secret key");
    expect(await loadHostKeys({ db, sealer })).toEqual(keys);
  });
});

test("a key that the library cannot read is not stored, and the library still generates such keys", () => {
  const { utils } = ssh2;
  const isReadable = (text: string): boolean => !(utils.parseKey(text) instanceof Error);
  const made = (): { private: string; public: string } => utils.generateKeyPairSync("ed25519");
  // When this test finds no such key any more, the library has been fixed.
  let broken = made();
  for (let attempt = 0; attempt < 6_000 && isReadable(broken.private); attempt += 1) broken = made();
  expect(isReadable(broken.private)).toBe(false);
  const whole = firstReadable(made, isReadable);
  const offered = [broken, broken, whole, made()];
  expect(firstReadable(() => offered.shift() ?? broken, isReadable)).toBe(whole);
  expect(() => firstReadable(() => broken, isReadable)).toThrow("could not generate a readable SSH host key");
});
