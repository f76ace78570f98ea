import { readFile, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { createGitUser, type GitUser } from "../../../../test/kit/git-user.ts";
import { hasGpg, hasSshKeygen, type Keyring, makeSshKey, openKeyring, type SshKey } from "../../../../test/kit/signing.ts";

interface Shown {
  readonly verified: boolean;
  readonly reason: string;
  readonly signature: string;
  readonly signer: { readonly name: string; readonly email: string; readonly username: string } | null;
  readonly payload: string;
}

const unsigned = { verified: false, reason: "gpg.error.not_signed_commit", signature: "", signer: null, payload: "" };
const canRun = hasGpg && hasSshKeygen;

eachDialect((dialect) => {
  describe.skipIf(!canRun)(`signatures of commits and tags${canRun ? "" : " (skipped: gpg or ssh-keygen is not installed)"}`, () => {
    let forge: TestForge;
    let keyring: Keyring;
    let work: GitUser;
    let ssh: SshKey;
    let alice: TestUser;
    let bob: TestUser;
    /** Alice's key, with her address in it. */
    let gpgKey: string;
    let signed: string;

    const byGpg = (key: string): string[] => ["-c", `user.signingKey=${key}`, "-c", "gpg.format=openpgp"];
    const bySsh = (key: SshKey): string[] => ["-c", `user.signingKey=${key.path}`, "-c", "gpg.format=ssh"];
    const as = (user: string): string[] => ["-c", `user.name=${user}`, "-c", `user.email=${user}@example.com`];
    /** A commit by a user, pushed to a branch of its own. */
    const commit = async (branch: string, email: string, ...options: readonly string[]): Promise<string> => {
      await using place = await createGitUser({ ...keyring.environment, GIT_COMMITTER_EMAIL: email, GIT_AUTHOR_EMAIL: email });
      await place.init("r");
      await place.git("r", ...options, "commit", "-q", "--allow-empty", "-S", "-m", `of ${email}`);
      await place.git("r", "push", "-q", `${alice.gitOrigin}/alice/signed.git`, `HEAD:refs/heads/${branch}`);
      return await place.git("r", "rev-parse", "HEAD");
    };
    const show = async (oid: string, viewer = alice): Promise<Shown> =>
      (await viewer.get(`/repos/alice/signed/git/commits/${oid}`).expect(200)).commit.verification;
    const addGpg = async (user: TestUser, fingerprint: string): Promise<number> =>
      (await user.post("/user/gpg_keys", { armored_public_key: await keyring.export(fingerprint) }).expect(201)).id;

    beforeAll(async () => {
      [keyring, ssh, work] = [await openKeyring(), await makeSshKey(), await createGitUser()];
      forge = await startForge({ dialect });
      [alice, bob] = [await forge.createUser("alice", { full_name: "Alice Ann" }), await forge.createUser("bob")];
      await alice.post("/user/repos", { name: "signed" }).expect(201);
      gpgKey = await keyring.generate("Alice <alice@example.com>");
      await addGpg(alice, gpgKey);
      await bob.post("/user/keys", { title: "bob's", key: ssh.publicKey }).expect(201);
      signed = await commit("main", "alice@example.com", ...byGpg(gpgKey));
    });
    afterAll(async () => {
      await forge[Symbol.asyncDispose]();
      for (const each of [keyring, ssh, work]) await each[Symbol.asyncDispose]();
    });

    test("verifies an OpenPGP signature by the committer's key on every endpoint that shows the commit", async () => {
      const verification = await show(signed);
      expect(verification).toEqual({
        verified: true,
        reason: `alice / ${gpgKey.slice(-16)}`,
        signature: expect.stringMatching(/^-----BEGIN PGP SIGNATURE-----\n[\s\S]+-----END PGP SIGNATURE-----\n$/),
        signer: { name: "Alice Ann", email: "alice@example.com", username: "alice" },
        payload: expect.stringMatching(/^tree [0-9a-f]{40}\nauthor Ann Author <alice@example.com> [\s\S]+\n\nof alice@example.com\n$/),
      });
      for (const viewer of [bob, forge.admin]) expect(await show(signed, viewer)).toEqual(verification);
      const path = "/repos/alice/signed";
      expect((await alice.get(`${path}/commits`).expect(200))[0].commit.verification).toEqual(verification);
      expect((await alice.get(`${path}/branches/main`).expect(200)).commit.verification).toEqual(verification);
      expect((await alice.get(`${path}/branches`).expect(200)).at(-1).commit.verification).toEqual(verification);
      expect((await alice.get(`${path}/commits?verification=false`).expect(200))[0].commit.verification).toBeNull();
    });

    test("reports that the server does not sign commits", async () => {
      await alice.post("/user/repos", { name: "secret", private: true }).expect(201);
      for (const name of ["signing-key.gpg", "signing-key.pub"]) {
        for (const path of [`/${name}`, `/repos/alice/signed/${name}`]) {
          expect((await forge.anonymous.get(path).expect(404)).message).toBe("no signing key");
        }
        expect((await bob.get(`/repos/alice/secret/${name}`).expect(404)).message).not.toBe("no signing key");
      }
    });

    test("verifies an SSH signature", async () => {
      const oid = await commit("ssh", "bob@example.com", ...bySsh(ssh));
      const { fingerprint } = (await bob.get("/user/keys").expect(200))[0];
      expect(await show(oid)).toMatchObject({
        verified: true,
        reason: `bob / ${fingerprint}`,
        signer: { name: "bob", username: "bob", email: "bob@example.com" },
      });
    });

    test("verifies the signature of a tag independently of its commit", async () => {
      await using place = await createGitUser({ ...keyring.environment, GIT_COMMITTER_EMAIL: "alice@example.com" });
      await place.init("r");
      await place.commit("r", { f: "1" });
      await place.git("r", ...byGpg(gpgKey), "tag", "-s", "-m", "signed\nby her", "v1");
      await place.git("r", "tag", "-m", "plain", "v2");
      await place.git("r", "push", "-q", `${alice.gitOrigin}/alice/signed.git`, "--tags");
      const tag = async (name: string) => {
        const { verification, message } = await alice.get(`/repos/alice/signed/git/tags/${await place.git("r", "rev-parse", name)}`).expect(200);
        return { verification, message };
      };
      expect(await tag("v1")).toMatchObject({ message: "signed\nby her\n", verification: { verified: true, reason: `alice / ${gpgKey.slice(-16)}` } });
      expect(await tag("v2")).toEqual({ message: "plain\n", verification: unsigned });
    });

    test("verifies a commit only for the owner of the key", async () => {
      const reason = async (oid: string): Promise<unknown> => {
        const { verified, reason, signer, signature, payload } = await show(oid);
        expect({ verified, signer, isShown: signature !== "" && payload !== "" }).toEqual({ verified: false, signer: null, isShown: true });
        return reason;
      };
      const noKey = "gpg.error.no_gpg_keys_found";
      expect(await reason(await commit("victim", "bob@example.com", ...byGpg(gpgKey)))).toBe(noKey);
      expect(await reason(await commit("ssh-victim", "alice@example.com", ...bySsh(ssh)))).toBe(noKey);
      expect(await reason(await commit("nobody", "nobody@example.com", ...byGpg(gpgKey)))).toBe("gpg.error.no_committer_account");
      expect(await reason(await commit("stranger", "alice@example.com", ...byGpg(await keyring.generate("Stranger <alice@example.com>"))))).toBe(noKey);
      // A deploy key has no owner, and a claimed address is not verified.
      await using deploy = await makeSshKey();
      await alice.post("/repos/alice/signed/keys", { title: "ci", key: deploy.publicKey }).expect(201);
      expect(await reason(await commit("deploy", "alice@example.com", ...bySsh(deploy)))).toBe(noKey);
      await alice.post("/user/emails", { emails: ["claimed@example.com"] }).expect(201);
      expect(await reason(await commit("claimed", "claimed@example.com", ...byGpg(gpgKey)))).toBe("gpg.error.no_committer_account");
    });

    test("accepts the addresses in a key, and all of the owner's addresses once the key is verified", async () => {
      const carol = await forge.createUser("carol");
      const key = await keyring.generate("Carol <carol@example.com>");
      const id = await addGpg(carol, key);
      const noreply = `${carol.id}+carol@noreply.127.0.0.1`;
      const oid = await commit("noreply", noreply, ...byGpg(key));
      expect((await show(oid)).verified).toBe(false);
      const proof = await keyring.sign(key, (await carol.get("/user/gpg_key_token")).text);
      await carol.post("/user/gpg_key_verify", { key_id: key.slice(-16), armored_signature: proof }).expect(201);
      expect(await show(oid)).toMatchObject({ verified: true, signer: { email: noreply, username: "carol" } });
      await carol.delete(`/user/gpg_keys/${id}`).expect(204);
      expect(await show(oid)).toMatchObject({ verified: false, reason: "gpg.error.no_gpg_keys_found" });
    });

    test("does not verify commits of a hidden user for callers from whom they hide", async () => {
      const hidden = await forge.createUser("hidden", { visibility: "private" });
      const key = await keyring.generate("Hidden <hidden@example.com>");
      await addGpg(hidden, key);
      const oid = await commit("hidden", "hidden@example.com", ...byGpg(key));
      expect(await show(oid, hidden)).toMatchObject({ verified: true, reason: `hidden / ${key.slice(-16)}` });
      expect(await show(oid, bob)).toMatchObject({ verified: false, reason: "gpg.error.no_gpg_keys_found", signer: null });
    });

    test("rejects signatures by expired and revoked keys", async () => {
      const dora = await forge.createUser("dora");
      const old = await keyring.generate("Dora <dora@example.com>", { expires: "1y", at: "20200101T000000" });
      await addGpg(dora, old);
      const program = async (moment: string): Promise<string[]> => {
        const path = `${work.path}/gpg-${moment}`;

        await writeFile(path, `#!/bin/sh\nexec gpg --faked-system-time '${moment}!' "$@"\n`, { mode: 0o755 });
        return ["-c", `gpg.program=${path}`];
      };
      const within = await commit("within", "dora@example.com", ...byGpg(old), ...(await program("20200601T000000")));
      expect((await show(within)).verified).toBe(true);
      // gpg refuses to sign with an expired key, so only its local copy is extended.
      await keyring.gpg("--quick-set-expire", old, "0");
      const after = await commit("after", "dora@example.com", ...byGpg(old));
      expect(await show(after)).toMatchObject({ verified: false, reason: "gpg.error.probable_bad_signature", signer: null });

      const erin = await forge.createUser("erin");
      const lost = await keyring.generate("Erin <erin@example.com>");
      const before = await commit("lost", "erin@example.com", ...byGpg(lost));
      const revocation = `${keyring.environment.GNUPGHOME}/openpgp-revocs.d/${lost}.rev`;

      await writeFile(revocation, (await readFile(revocation, "utf8")).replace(":-----BEGIN", "-----BEGIN"));
      await keyring.gpg("--import", revocation);
      await addGpg(erin, lost);
      expect(await show(before)).toMatchObject({ verified: false, reason: "gpg.error.probable_bad_signature" });
    });

    test("rejects signatures that are altered, malformed or made for another purpose", async () => {
      const make = async (branch: string, change: (payload: string, key: SshKey) => Promise<string>): Promise<string> => {
        await using place = await createGitUser({ GIT_COMMITTER_EMAIL: "bob@example.com" });
        await place.init("r");
        await place.git("r", ...as("bob"), "commit", "-q", "--allow-empty", "-m", "forged");
        const payload = `${await place.git("r", "cat-file", "commit", "HEAD")}\n`;
        const signature = (await change(payload, ssh)).trimEnd().replaceAll("\n", "\n ");

        await writeFile(`${place.path}/r/object`, payload.replace("\n\n", `\ngpgsig ${signature}\n\n`));
        const oid = await place.git("r", "hash-object", "-t", "commit", "-w", "object");
        await place.git("r", "push", "-q", `${alice.gitOrigin}/alice/signed.git`, `${oid}:refs/heads/${branch}`);
        return oid;
      };
      const reasonOf = async (oid: string) => (await show(oid)).reason;
      expect(await show(await make("right", (payload, key) => key.sign(payload)))).toMatchObject({ verified: true });
      expect(await reasonOf(await make("changed", (payload, key) => key.sign(`${payload} `)))).toBe("gpg.error.probable_bad_signature");
      expect(await reasonOf(await make("purpose", (payload, key) => key.sign(payload, "file")))).toBe("gpg.error.extract_sign");
      expect(await reasonOf(await make("nonsense", async () => "nonsense"))).toBe("gpg.error.extract_sign");
      const large = `-----BEGIN PGP SIGNATURE-----\n\n${"A".repeat(64)}\n`.repeat(1_000);
      expect(await reasonOf(await make("large", async () => large))).toBe("gpg.error.extract_sign");
    });

    test("verifies a commit in another encoding by its bytes", async () => {
      const oid = await commit("latin1", "alice@example.com", ...byGpg(gpgKey), "-c", "i18n.commitEncoding=ISO-8859-1", "-c", "user.name=Zoë");
      expect(await show(oid)).toMatchObject({ verified: true, payload: expect.stringContaining("encoding ISO-8859-1") });
    });

    test("verifies a page of signed commits in two more statements, and unsigned ones in none", async () => {
      await alice.post("/user/repos", { name: "many" }).expect(201);
      await alice.post("/user/repos", { name: "plain" }).expect(201);
      await using place = await createGitUser({ ...keyring.environment, GIT_COMMITTER_EMAIL: "alice@example.com", GIT_AUTHOR_EMAIL: "alice@example.com" });
      for (const [name, options] of [
        ["many", ["-S"]],
        ["plain", []],
      ] as const) {
        await place.init(name);
        for (let count = 0; count < 6; count += 1) {
          const signer = count % 2 === 0 ? byGpg(gpgKey) : bySsh(ssh);
          await place.git(name, ...signer, "commit", "-q", "--allow-empty", ...options, "-m", `${count}`);
        }
        await place.git(name, "push", "-q", `${alice.gitOrigin}/alice/${name}.git`, "HEAD:main");
      }
      await forge.settled();
      const cost = async (name: string, limit: number): Promise<number> => {
        const list = () => alice.get(`/repos/alice/${name}/commits?limit=${limit}&stat=false&files=false`).expect(200);
        await list();
        return (await forge.cost(list)).statements.length;
      };
      const [six, two, plain] = [await cost("many", 6), await cost("many", 2), await cost("plain", 6)];
      expect([six - plain, two - plain]).toEqual([2, 2]);
      expect(six).toBeLessThanOrEqual(8);
    });
  });
});
