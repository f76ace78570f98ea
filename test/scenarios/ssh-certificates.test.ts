import { execFileSync, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createBrowser } from "../kit/browser.ts";
import { createTestClock } from "../kit/clock.ts";
import { eachDialect } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";
import { createGitUser, type GitRun, type GitUser } from "../kit/git-user.ts";
import { polling } from "../kit/polling.ts";
import { gitOverSsh, makeKeyPair, runSsh, type SshKeyPair, sshMissing, sshWords } from "../kit/ssh.ts";
import { startSecurityKey } from "../kit/ssh-agent.ts";

/** Users of an authority that the server trusts sign in with its certificates, by principals that they have added to their account. */

const path = "/user/settings/keys";
const hour = 3_600_000;

eachDialect((dialect) => {
  describe.skipIf(sshMissing !== undefined)(`SSH certificates${sshMissing === undefined ? "" : ` (${sshMissing})`}`, () => {
    let forge: TestForge;
    let work: GitUser;
    let port: number;
    let alice: TestUser;
    let bob: TestUser;
    const clock = createTestClock(Date.now());
    let made = 0;

    const keygen = (...words: readonly string[]) => execFileSync("ssh-keygen", ["-q", ...words], { cwd: work.path });

    /** A key with a certificate, by default for an hour and from the trusted authority. */
    function certify(
      principals: string,
      options: { readonly by?: string; readonly type?: "ed25519" | "rsa" | "ecdsa"; readonly more?: readonly string[] } = {},
    ): SshKeyPair {
      made += 1;
      const pair = makeKeyPair(work.path, `key-${dialect.name}-${made}`, options.type);
      keygen(
        "-s",
        `${work.path}/${options.by ?? "ca"}`,
        "-I",
        `number ${made}`,
        ...(principals === "" ? [] : ["-n", principals]),
        ...(options.more ?? []),
        `${pair.path}.pub`,
      );
      return pair;
    }
    const greet = (pair: SshKeyPair, ...words: readonly string[]): Promise<GitRun> => runSsh(sshWords(pair, port, ...words, "-T", "git@127.0.0.1"));
    const refused = { code: 255, stdout: "" };
    const greeting = (name: string, principal: string) => ({
      code: 0,
      stdout: `Hi there, ${name}! You've successfully authenticated with the key named principal ${principal}, but Hearth does not provide shell access.\n`,
    });
    async function add(user: TestUser, principal: string) {
      const browser = createBrowser(forge.url);
      await browser.signIn(user);
      return browser.submit(await browser.get(path), `${path}/principals`, { principal });
    }

    beforeAll(async () => {
      work = await createGitUser();
      const trusted = makeKeyPair(work.path, "ca").publicKey;
      makeKeyPair(work.path, "other-ca");
      forge = await startForge({
        dialect,
        clock,
        environment: { HEARTH_SSH_ENABLED: "true", HEARTH_SSH_PORT: "0", HEARTH_SSH_TRUSTED_USER_CA_KEYS: trusted },
      });
      const { sshState } = forge.forge;
      if (sshState.kind !== "open") throw new Error("the forge does not listen for SSH");
      port = sshState.port;
      [alice, bob] = [await forge.createUser("alice"), await forge.createUser("bob")];
      await add(alice, "alice");
    });
    afterAll(async () => {
      await forge[Symbol.asyncDispose]();
      await work[Symbol.asyncDispose]();
    });

    test.each(["ed25519", "rsa", "ecdsa"] as const)("sign in the account with one of their principals (%s)", async (type) => {
      expect(await greet(certify("nobody,alice", { type }))).toMatchObject(greeting("alice", "alice"));
    });

    test("push and fetch as that account, and show when the principal was last used", async () => {
      const pair = certify("alice");
      await alice.post("/user/repos", { name: "r" }).expect(201);
      await work.init("source");
      await work.commit("source", { "a.txt": "one\n" });
      const url = `ssh://git@127.0.0.1:${port}/alice/r.git`;
      expect(await work.attempt("source", ...gitOverSsh(pair, port), "push", "-q", url, "main")).toMatchObject({ code: 0 });
      expect((await work.attempt(".", ...gitOverSsh(pair, port), "ls-remote", url)).stdout).toContain("refs/heads/main");
      expect(JSON.parse((await greet(pair, "-o", "RemoteCommand=git-lfs-authenticate alice/r.git upload")).stdout)).toMatchObject({ expires_in: 1_800 });
      const browser = createBrowser(forge.url);
      await browser.signIn(alice);
      expect((await browser.get(path)).text).not.toContain("never used");
    });

    test("of a security key sign in when its owner touches it", async () => {
      for (const isTouched of [true, false]) {
        const path = `${work.path}/device-${dialect.name}-${isTouched}`;
        await using device = await startSecurityKey(`${path}.socket`, "ed25519", isTouched);
        writeFileSync(`${path}.pub`, device.publicKey);
        keygen("-s", `${work.path}/ca`, "-I", "device", "-n", "alice", `${path}.pub`);
        const answer = await runSsh(sshWords({ agent: device.socket }, port, "-o", `CertificateFile=${path}-cert.pub`, "-T", "git@127.0.0.1"));
        expect(answer).toMatchObject(isTouched ? greeting("alice", "alice") : refused);
      }
    });

    test.each([
      ["of another authority", () => certify("alice", { by: "other-ca" })],
      ["for a host", () => certify("alice", { more: ["-h"] })],
      ["without principals", () => certify("")],
      ["with principals of no account", () => certify("alicia,ALICE,bob")],
      ["that are not valid yet", () => certify("alice", { more: ["-V", "+1h:+2h"] })],
      ["that have expired", () => certify("alice", { more: ["-V", "-2h:-1h"] })],
      ["with a command", () => certify("alice", { more: ["-O", "force-command=id"] })],
      ["with an unknown critical option", () => certify("alice", { more: ["-O", "critical:x=y"] })],
      ["for another address", () => certify("alice", { more: ["-O", "source-address=10.0.0.0/8"] })],
    ] as const)("%s are refused", async (_name, make) => {
      expect(await greet(make())).toMatchObject(refused);
    });

    test("of a key that users cannot add are refused", async () => {
      const path = `${work.path}/weak-${dialect.name}`;
      keygen("-t", "rsa", "-b", "1024", "-N", "", "-f", path);
      keygen("-s", `${work.path}/ca`, "-I", "weak", "-n", "alice", `${path}.pub`);
      expect(await greet({ path, publicKey: "" })).toMatchObject(refused);
      expect(forge.log).toContainEqual(
        expect.objectContaining({ message: "an SSH certificate was refused", meta: expect.objectContaining({ fault: "its key is too weak, or invalid" }) }),
      );
    });

    test("for the address of the client are accepted", async () => {
      expect(await greet(certify("alice", { more: ["-O", "source-address=10.0.0.0/8,127.0.0.1/32"] }))).toMatchObject(greeting("alice", "alice"));
    });

    test("with another key than the certified one are refused", async () => {
      const [one, other] = [certify("alice"), makeKeyPair(work.path, `other-${dialect.name}`)];
      expect(await greet(other, "-o", `CertificateFile=${one.path}-cert.pub`)).toMatchObject(refused);
    });

    test("end on an open connection, too", async () => {
      const pair = certify("alice", { more: ["-V", "always:+1h"] });
      const control = `${work.path}/control-${dialect.name}`;
      const master = spawn("ssh", [...sshWords(pair, port, "-M", "-S", control, "-N"), "git@127.0.0.1"], { stdio: "ignore" });
      try {
        await expect.poll(async () => (await runSsh(["-S", control, "-O", "check", "x"])).code, polling).toBe(0);
        expect(await greet(pair, "-S", control)).toMatchObject(greeting("alice", "alice"));
        clock.advance(2 * hour);
        expect((await greet(pair, "-S", control)).stderr).toContain("Your SSH certificate has expired.");
      } finally {
        master.kill();
        clock.advance(-2 * hour);
      }
    });

    describe("principals", () => {
      test("are the username or a verified address of their account", async () => {
        expect((await add(bob, "alice")).text).toContain("You cannot use this principal.");
        expect((await add(bob, "")).text).toContain("This field is required.");
        expect((await add(bob, "bob@elsewhere.example")).text).toContain("You cannot use this principal.");
        await add(bob, bob.email);
        expect(await greet(certify(bob.email))).toMatchObject(greeting("bob", bob.email));
        expect((await add(bob, bob.email)).text).toContain("This principal is already in use.");
      });

      test("no longer sign in an account that was renamed, and pass to the account that has the name", async () => {
        const carol = await forge.createUser("carol");
        await add(carol, "carol");
        const pair = certify("carol");
        expect(await greet(pair)).toMatchObject(greeting("carol", "carol"));
        await forge.admin.post("/admin/users/carol/rename", { new_username: "caroline" }).expect(204);
        expect(await greet(pair)).toMatchObject(refused);
        const next = await forge.createUser("carol", { email: "carol@elsewhere.example" });
        await add(next, "carol");
        expect(await greet(pair)).toMatchObject(greeting("carol", "carol"));
      });

      test("are not listed as keys, and no longer sign in after their removal", async () => {
        const dora = await forge.createUser("dora");
        await add(dora, "dora");
        expect(await dora.get("/user/keys").expect(200)).toEqual([]);
        expect(await (await fetch(`${forge.url}/dora.keys`)).text()).toBe("");
        const pair = certify("dora");
        expect(await greet(pair)).toMatchObject(greeting("dora", "dora"));
        const browser = createBrowser(forge.url);
        await browser.signIn(dora);
        const page = await browser.get(path);
        const [action = ""] = /\/user\/settings\/keys\/principals\/\d+\/remove/.exec(page.text) ?? [];
        expect((await browser.submit(page, action)).location).toBe(`${path}?saved=deleted`);
        expect(await greet(pair)).toMatchObject(refused);
        const { entries } = await forge.admin.get("/admin/audit?account=dora").expect(200);
        expect(entries.map(({ action }: { readonly action: string }) => action)).toEqual(
          expect.arrayContaining(["ssh_principal.created", "ssh_principal.deleted"]),
        );
      });
    });
  });

  test("a server without trusted authorities shows no principals, and accepts none", async () => {
    await using forge = await startForge({ dialect });
    const alice = await forge.createUser("alice");
    const browser = createBrowser(forge.url);
    await browser.signIn(alice);
    const page = await browser.get(path);
    expect(page.text).not.toContain("principal");
    const { _csrf = "" } = page.form(path);
    expect((await browser.post(`${path}/principals`, { _csrf, principal: "alice" })).status).toBe(404);
  });
});
