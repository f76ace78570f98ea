import { writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestClock } from "../../../../test/kit/clock.ts";
import { differences } from "../../../../test/kit/contract.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { eventsOf } from "../../../../test/kit/events.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { hasGpg, type Keyring, openKeyring } from "../../../../test/kit/signing.ts";

eachDialect((dialect) => {
  describe.skipIf(!hasGpg)(`OpenPGP keys${hasGpg ? "" : " (skipped: gpg is not installed)"}`, () => {
    const clock = createTestClock(Date.now());
    let forge: TestForge;
    let keyring: Keyring;
    let alice: TestUser;
    let bob: TestUser;
    beforeAll(async () => {
      keyring = await openKeyring();
      forge = await startForge({ dialect, clock });
      alice = await forge.createUser("alice");
      bob = await forge.createUser("bob");
    });
    afterAll(async () => {
      await forge[Symbol.asyncDispose]();
      await keyring[Symbol.asyncDispose]();
    });
    const newKey = async (userId: string): Promise<{ fingerprint: string; armored: string }> => {
      const fingerprint = await keyring.generate(userId);
      return { fingerprint, armored: await keyring.export(fingerprint) };
    };
    const events = async (type: string, accountId: number): Promise<unknown[]> =>
      (await eventsOf(forge, { type })).map(({ payload }) => payload).filter((payload) => payload.accountId === accountId);

    test("are added, shown, listed and deleted", async () => {
      const carol = await forge.createUser("carol");
      const fingerprint = await keyring.generate("Carol <Carol@example.com>", { algorithm: "rsa2048", expires: "20y", at: "20200101T000000" });
      await keyring.gpg("--quick-add-key", fingerprint, "cv25519", "encr", "1y");
      const made = await carol.post("/user/gpg_keys", { armored_public_key: await keyring.export(fingerprint) }).expect(201);
      expect(differences(made, "GPGKey")).toEqual([]);
      const keyId = fingerprint.slice(-16);
      expect(made).toMatchObject({
        primary_key_id: "",
        key_id: keyId,
        emails: [{ email: "carol@example.com", verified: true }],
        can_sign: true,
        can_certify: true,
        can_encrypt_comms: false,
        can_encrypt_storage: false,
        verified: false,
        // The time when it was added, not its creation time.
        created_at: expect.stringMatching(new RegExp(`^${new Date().getUTCFullYear()}`)),
        expires_at: expect.stringMatching(/^2039-/),
        subkeys: [{ primary_key_id: keyId, emails: null, subkeys: null, can_sign: false, can_certify: false, can_encrypt_comms: true }],
      });
      expect(await carol.get(`/user/gpg_keys/${made.id}`).expect(200)).toEqual(made);
      const other = await newKey("Carol again <carol@example.com>");
      await carol.post("/user/gpg_keys", { armored_public_key: other.armored }).expect(201);
      const listed = await carol.get("/user/gpg_keys?limit=1");
      expect(listed.json).toEqual([made]);
      expect([listed.headers.get("x-total-count"), listed.headers.get("link")]).toEqual(["2", expect.stringContaining('rel="next"')]);
      expect(await bob.get("/users/Carol/gpg_keys?limit=1").expect(200)).toEqual([made]);

      for (let time = 0; time < 2; time += 1) await carol.delete(`/user/gpg_keys/${made.id}`).expect(204);
      await carol.get(`/user/gpg_keys/${made.id}`).expect(404);
      await carol.get(`/user/gpg_keys/${made.subkeys[0].id}`).expect(404);
      const payload = { accountId: carol.id, keyId: made.id, fingerprint };
      expect(await events("gpg_key.created", carol.id)).toContainEqual(payload);
      expect(await events("gpg_key.deleted", carol.id)).toEqual([payload]);
      const logged = await forge.admin.get("/admin/audit?action=gpg_key.deleted&account=carol").expect(200);
      expect(logged.entries).toMatchObject([{ action: "gpg_key.deleted", actor: { name: "carol" }, target: { kind: "gpg_key", name: fingerprint } }]);
    });

    test("cannot be read by id or deleted by other users", async () => {
      const { armored } = await newKey("Alice <alice@example.com>");
      const { id } = await alice.post("/user/gpg_keys", { armored_public_key: armored }).expect(201);
      await bob.get(`/user/gpg_keys/${id}`).expect(404);
      await bob.delete(`/user/gpg_keys/${id}`).expect(204);
      await alice.get(`/user/gpg_keys/${id}`).expect(200);
      for (const path of ["/user/gpg_keys", `/user/gpg_keys/${id}`, "/user/gpg_key_token", "/users/alice/gpg_keys"])
        await forge.anonymous.get(path).expect(401);
      await bob.get("/users/nosuch/gpg_keys").expect(404);
      const message = async (user: TestUser, body: object): Promise<string> => (await user.post("/user/gpg_keys", body).expect(422)).message;
      expect(await message(alice, { armored_public_key: armored })).toBe("A key with the same id already exists");
      expect(await message(bob, { armored_public_key: armored })).toBe("A key with the same id already exists");
      expect(await message(bob, { armored_public_key: "nonsense" })).toBe("failed to parse gpg key: it contains no armored block");
      expect(await message(bob, {})).toBe("[ArmoredKey]: Required");
    });

    test("are added once by concurrent requests", async () => {
      const shared = await newKey("Alice race <alice@example.com>");
      const both = await Promise.all([alice, alice].map((user) => user.post("/user/gpg_keys", { armored_public_key: shared.armored })));
      expect(both.map(({ status }) => status).sort()).toEqual([201, 422]);
    });

    test("with an unverified address are accepted only with a signature of the caller's challenge", async () => {
      const dora = await forge.createUser("dora");
      await dora.post("/user/emails", { emails: ["dora@claimed.example"] }).expect(201);
      const { armored, fingerprint } = await newKey("Dora <dora@claimed.example>");
      const refused = await dora.post("/user/gpg_keys", { armored_public_key: armored }).expect(404);
      const challenge = (await dora.get("/user/gpg_key_token")).text;
      expect(challenge).toMatch(/^[0-9a-f]{64}$/);
      expect(refused.message).toContain(`valid signature for the token: ${challenge}`);
      const give = async (user: TestUser, text: string): Promise<number> => {
        const signature = await keyring.sign(fingerprint, text);
        return (await user.post("/user/gpg_keys", { armored_public_key: armored, armored_signature: signature })).status;
      };
      expect(await give(dora, (await bob.get("/user/gpg_key_token")).text)).toBe(404);
      expect(await give(dora, "another text")).toBe(404);
      clock.advance(31 * 60_000);
      expect(await give(dora, challenge)).toBe(404);
      const next = (await dora.get("/user/gpg_key_token")).text;
      clock.advance(14 * 60_000);
      expect(await give(dora, `${next}\n`)).toBe(201);
      expect(await dora.get("/user/gpg_keys").expect(200)).toMatchObject([{ verified: true, emails: [] }]);
    });

    test("can be verified later, with the key or a subkey", async () => {
      const erin = await forge.createUser("erin");
      const { armored, fingerprint } = await newKey("Erin <erin@example.com>");
      const other = await newKey("Erin other <erin@example.com>");
      const { id } = await erin.post("/user/gpg_keys", { armored_public_key: armored }).expect(201);
      const challenge = (await erin.get("/user/gpg_key_token")).text;
      const verify = async (user: TestUser, keyId: string, signer: string) =>
        user.post("/user/gpg_key_verify", { key_id: keyId, armored_signature: await keyring.sign(signer, challenge) });
      const keyId = fingerprint.slice(-16);
      expect((await verify(erin, keyId, other.fingerprint)).status).toBe(422);
      expect((await verify(bob, keyId, fingerprint)).status).toBe(404);
      await erin.post("/user/gpg_key_verify", { key_id: keyId, armored_signature: "x" }).expect(422);
      await erin.post("/user/gpg_key_verify", { key_id: "ABCDEF", armored_signature: "x" }).expect(404);
      await erin.post("/user/gpg_key_verify", { armored_signature: "x" }).expect(404);
      await erin.post("/user/gpg_key_verify", { key_id: keyId }).expect(422);
      expect((await erin.get(`/user/gpg_keys/${id}`).expect(200)).verified).toBe(false);
      const proved = await verify(erin, keyId.toLowerCase(), fingerprint);
      expect([proved.status, proved.json.id, proved.json.verified]).toEqual([201, id, true]);
      expect(await events("gpg_key.verified", erin.id)).toEqual([{ accountId: erin.id, keyId: id, fingerprint }]);
    });

    test("do not show addresses that their owner hides", async () => {
      const fay = await forge.createUser("fay");
      const { armored } = await newKey("Fay <fay@example.com>");
      await fay.post("/user/gpg_keys", { armored_public_key: armored }).expect(201);
      await fay.patch("/user/settings", { hide_email: true }).expect(200);
      const emails = async (user: TestUser): Promise<unknown> => (await user.get("/users/fay/gpg_keys").expect(200))[0].emails;
      expect(await emails(bob)).toEqual([]);
      for (const user of [fay, forge.admin]) expect(await emails(user)).toEqual([{ email: "fay@example.com", verified: true }]);
      const shown = await forge.anonymous.get("//fay.gpg");
      expect([shown.status, shown.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
      const bytes = (text: string): string => Buffer.from(text.split("\n").slice(2, -2).join(""), "base64").toString("latin1");
      expect(bytes(shown.text)).not.toContain("fay");
      expect(bytes((await fay.get("//fay.gpg")).text)).toContain("fay@example.com");
    });

    test("are served as a file that gpg imports, also under a former name", async () => {
      const gus = await forge.createUser("gus.x");
      expect((await forge.anonymous.get("//gus.x.gpg")).text).toContain("Comment: this user has no OpenPGP keys");
      const { armored, fingerprint } = await newKey("Gus <gus.x@example.com>");
      await gus.post("/user/gpg_keys", { armored_public_key: armored }).expect(201);
      await using elsewhere = await openKeyring();
      const { text } = await forge.anonymous.get("//gus.x.gpg");
      const file = `${elsewhere.environment.GNUPGHOME}/keys`;
      await writeFile(file, text);
      await elsewhere.gpg("--import", file);
      expect(await elsewhere.gpg("--with-colons", "--list-keys")).toContain(fingerprint);
      await forge.admin.post("/admin/users/gus.x/rename", { new_username: "gus" }).expect(204);
      const moved = await forge.anonymous.get("//gus.x.gpg");
      expect([moved.status, moved.headers.get("location")]).toEqual([307, `${forge.url}/gus.gpg`]);
      const hidden = await forge.createUser("hidden", { visibility: "private" });
      await bob.get("/users/hidden/gpg_keys").expect(404);
      const [missing, concealed] = [await bob.get("//nosuch.gpg"), await bob.get("//hidden.gpg")];
      expect([concealed.status, concealed.text]).toEqual([404, missing.text]);
      expect((await hidden.get("//hidden.gpg")).status).toBe(200);
    });

    test("cost a fixed number of statements and are deleted with their user", async () => {
      const hal = await forge.createUser("hal");
      const cost = async (): Promise<number> => (await forge.cost(() => bob.get("/users/hal/gpg_keys").expect(200))).statements.length;
      const first = await newKey("Hal 0 <hal@example.com>");
      await hal.post("/user/gpg_keys", { armored_public_key: first.armored }).expect(201);
      await cost();
      const before = await cost();
      for (let count = 1; count < 5; count += 1) {
        await hal.post("/user/gpg_keys", { armored_public_key: (await newKey(`Hal ${count} <hal@example.com>`)).armored }).expect(201);
      }
      expect(await cost()).toBe(before);
      expect(before).toBeLessThanOrEqual(8);
      await forge.admin.delete("/admin/users/hal").expect(204);
      const again = await forge.createUser("hal");
      await again.post("/user/gpg_keys", { armored_public_key: first.armored }).expect(201);
    });
  });
});
