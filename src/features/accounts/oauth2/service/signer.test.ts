import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { createSealer } from "../../../../core/sealer.ts";
import { createSigner } from "./signer.ts";

const now = 1_700_000_000_000;
const claims = { gnt: 1, tt: 0, exp: now / 1_000 + 60 };

eachDialect((dialect) => {
  test("servers that share a database sign with one key, created once", async () => {
    await using database = await dialect.open();
    const deps = { db: database.db, sealer: createSealer(randomBytes(32)) };
    const [one, other] = [createSigner(deps), createSigner(deps)];
    // Both look for a key concurrently and find none.
    const [first, second] = await Promise.all([one.sign(claims), other.sign(claims)]);
    expect(await one.verify(second, now)).toEqual(claims);
    expect(await other.verify(first, now)).toEqual(claims);
    expect(await createSigner(deps).jwks()).toEqual(await one.jwks());
  });

  test("a copy of the database contains no usable key, and another secret key cannot open it", async () => {
    await using database = await dialect.open();
    const { db } = database;
    const signer = createSigner({ db, sealer: createSealer(randomBytes(32)) });
    const token = await signer.sign(claims);
    const rows = await db.sql.selectFrom("server_values").selectAll().where("name", "=", "oauth2.signing_key").execute();
    expect(rows).toHaveLength(1);
    expect(rows[0]?.value).not.toMatch(/PRIVATE KEY|MII/);
    const stranger = createSigner({ db, sealer: createSealer(randomBytes(32)) });
    await expect(stranger.sign(claims)).rejects.toMatchObject({ code: "unavailable" });
    await expect(stranger.verify(token, now)).rejects.toMatchObject({ code: "unavailable" });
  });
});
