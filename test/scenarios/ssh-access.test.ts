import { spawn } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestClock } from "../kit/clock.ts";
import { onSqlite } from "../kit/databases.ts";
import { eventsOf } from "../kit/events.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";
import { createGitUser, type GitRun, type GitUser } from "../kit/git-user.ts";
import { polling } from "../kit/polling.ts";
import { gitOverSsh, makeKeyPair, runSsh, type SshKeyPair, sshMissing, sshWords } from "../kit/ssh.ts";
import { startSecurityKey } from "../kit/ssh-agent.ts";

/** Authorization over SSH, and error messages for attackers. */

onSqlite((dialect) => {
  describe.skipIf(sshMissing !== undefined)(`access over SSH${sshMissing === undefined ? "" : ` (${sshMissing})`}`, () => {
    let forge: TestForge;
    let alice: TestUser;
    let bob: TestUser;
    let mallory: TestUser;
    let work: GitUser;
    let port: number;
    const keys: Record<string, SshKeyPair> = {};
    const key = (name: string): SshKeyPair => keys[name] ?? makeNamed(name);
    const makeNamed = (name: string): SshKeyPair => {
      const made = makeKeyPair(work.path, name);
      keys[name] = made;
      return made;
    };
    const ssh = (name: string | undefined, ...command: readonly string[]): Promise<GitRun> =>
      runSsh(sshWords(name === undefined ? undefined : key(name), port, "-T", "git@127.0.0.1", ...command));
    const git = (name: string, directory: string, ...args: readonly string[]): Promise<GitRun> =>
      work.attempt(directory, ...gitOverSsh(key(name), port), ...args);
    const url = (path: string): string => `ssh://git@127.0.0.1:${port}/${path}`;
    const framed = (message: string): string => `error:\nerror: ${message}\nerror:\n`;
    const addKey = (user: TestUser, name: string) => user.post<{ id: number }>("/user/keys", { title: name, key: key(name).publicKey }).expect(201);

    beforeAll(async () => {
      work = await createGitUser();
      forge = await startForge({ dialect, clock: createTestClock(Date.now()), environment: { HEARTH_SSH_ENABLED: "true", HEARTH_SSH_PORT: "0" } });
      const { sshState } = forge.forge;
      if (sshState.kind !== "open") throw new Error("the forge does not listen for SSH");
      port = sshState.port;
      [alice, bob, mallory] = [await forge.createUser("alice"), await forge.createUser("bob"), await forge.createUser("mallory")];
      for (const [user, name] of [
        [alice, "alice"],
        [bob, "bob"],
        [mallory, "mallory"],
      ] as const)
        await addKey(user, name);
      await work.init("source");
      await work.commit("source", { "a.txt": "one\n" });
      for (const body of [{ name: "open" }, { name: "Hidden", private: true }, { name: "shelved" }, { name: "former" }]) {
        await alice.post("/user/repos", body).expect(201);
        expect(await git("alice", "source", "push", "-q", url(`alice/${body.name}.git`), "main")).toMatchObject({ code: 0 });
      }
      await alice.patch("/repos/alice/shelved", { archived: true }).expect(200);
      await alice.patch("/repos/alice/former", { name: "present" }).expect(200);
    });
    afterAll(async () => {
      await forge[Symbol.asyncDispose]();
      await work[Symbol.asyncDispose]();
    });

    describe("authentication", () => {
      test("greets users who request a shell by name", async () => {
        expect(await ssh("alice")).toEqual({
          code: 0,
          stdout: "Hi there, alice! You've successfully authenticated with the key named alice, but Hearth does not provide shell access.\n",
          stderr: "",
        });
      });

      test.each(["rsa", "ecdsa"] as const)("with a key of kind %s", async (kind) => {
        keys[kind] ??= makeKeyPair(work.path, `${kind}-${dialect.name}`, kind);
        await addKey(alice, kind);
        expect((await ssh(kind)).stdout).toContain("Hi there, alice!");
      });

      test.each(["ed25519", "ecdsa"] as const)("with a security key of kind %s, which its owner touches", async (kind) => {
        for (const isTouched of [true, false]) {
          await using device = await startSecurityKey(`${work.path}/agent-${kind}-${isTouched}`, kind, isTouched);
          await alice.post("/user/keys", { title: `device ${kind} ${isTouched}`, key: device.publicKey }).expect(201);
          const answer = await runSsh(sshWords({ agent: device.socket }, port, "-T", "git@127.0.0.1"));
          expect(answer).toMatchObject(isTouched ? { code: 0, stdout: expect.stringContaining("Hi there, alice!") } : { code: 255, stdout: "" });
        }
      });

      test("accepts a known key with the user name git only", async () => {
        const refused = { code: 255, stdout: "", stderr: expect.stringContaining("Permission denied (publickey)") };
        expect(await ssh("unknown")).toEqual(refused);
        expect(await ssh(undefined)).toEqual(refused);
        for (const name of ["root", "alice", "GIT", ""]) {
          expect(await runSsh(sshWords(key("alice"), port, "-l", name === "" ? " " : name, "127.0.0.1")), name).toMatchObject({ code: 255, stdout: "" });
        }
      });

      test("rejects RSA signatures with SHA-1", async () => {
        const words = sshWords(key("rsa"), port, "-o", "PubkeyAcceptedAlgorithms=ssh-rsa", "-T", "git@127.0.0.1");
        expect(await runSsh(words)).toMatchObject({ code: 255, stdout: "" });
      });

      test("rejects a deleted key, even on an open connection", async () => {
        const { id } = await addKey(bob, "lent");
        const control = `${work.path}/control-${dialect.name}`;
        const words = sshWords(key("lent"), port, "-S", control, "-T", "git@127.0.0.1");
        const master = spawn("ssh", [...sshWords(key("lent"), port, "-M", "-S", control, "-N"), "git@127.0.0.1"], { stdio: "ignore" });
        try {
          await expect.poll(async () => (await runSsh(["-S", control, "-O", "check", "x"])).code, polling).toBe(0);
          expect((await runSsh(words)).stdout).toContain("Hi there, bob!");
          await bob.delete(`/user/keys/${id}`).expect(204);
          expect(await runSsh(words)).toEqual({ code: 1, stdout: "", stderr: framed("This key is not registered any more.") });
        } finally {
          master.kill();
        }
        expect((await ssh("lent")).code).toBe(255);
      });

      test("rejects the key of an account that may not sign in", async () => {
        const eve = await forge.createUser("eve");
        await addKey(eve, "eve");
        const edit = (change: object) => forge.admin.patch("/admin/users/eve", { login_name: "eve", source_id: 0, ...change }).expect(200);
        const prohibited = framed("This account is prohibited from signing in, please contact your site administrator.");
        await edit({ prohibit_login: true });
        for (const command of ["", "git-upload-pack 'alice/open.git'", "git-receive-pack 'eve/x.git'"]) {
          expect(await ssh("eve", ...(command === "" ? [] : [command]))).toEqual({ code: 1, stdout: "", stderr: prohibited });
        }
        await edit({ prohibit_login: false, active: false });
        expect(await ssh("eve")).toEqual({ code: 1, stdout: "", stderr: prohibited });
        await edit({ active: true, must_change_password: true });
        expect(await ssh("eve")).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("You must change your password") });
        await edit({ must_change_password: false });
        expect((await ssh("eve")).code).toBe(0);
      });

      test("records when a key was last used", async () => {
        const shown = async () =>
          (await alice.get<{ title: string; created_at: string; last_used_at: string }[]>("/user/keys").expect(200)).find(({ title }) => title === "alice");
        const found = await shown();
        expect(Date.parse(found?.last_used_at ?? "")).toBeGreaterThanOrEqual(Date.parse(found?.created_at ?? ""));
        const { statements } = await forge.cost(() => ssh("alice"));
        expect(
          statements.filter((sql) => sql.startsWith("update")),
          "within the minute nothing is written",
        ).toEqual([]);
      });
    });

    describe("repositories", () => {
      test("hidden and missing repositories cannot be distinguished", async () => {
        for (const verb of ["git-upload-pack", "git-receive-pack"]) {
          const [hidden, missing, unknownOwner] = [
            await ssh("mallory", `${verb} 'alice/Hidden.git'`),
            await ssh("mallory", `${verb} 'alice/Nosuch.git'`),
            await ssh("mallory", `${verb} 'nobody/Nosuch.git'`),
          ];
          expect(hidden).toEqual({ code: 1, stdout: "", stderr: framed("Cannot find repository: alice/Hidden") });
          expect(missing).toEqual({ code: 1, stdout: "", stderr: framed("Cannot find repository: alice/Nosuch") });
          expect(unknownOwner).toEqual({ code: 1, stdout: "", stderr: framed("Cannot find repository: nobody/Nosuch") });
        }
        const took = forge.log.filter(({ message }) => message === "ssh").map(({ meta }) => Number((meta as { ms: number }).ms));
        expect(Math.min(...took.slice(-6)), "none of the answers came sooner than the longest search").toBeGreaterThanOrEqual(95);
      });

      test("are found by their former name, in any case, with and without .git", async () => {
        for (const path of ["alice/open.git", "alice/open", "Alice/OPEN.git"]) expect(await git("bob", ".", "ls-remote", url(path))).toMatchObject({ code: 0 });
        const moved = await git("bob", ".", "ls-remote", url("alice/former.git"));
        expect(moved).toMatchObject({
          code: 0,
          stdout: expect.stringContaining("refs/heads/main"),
          stderr: expect.stringContaining("warning: this repository is now at alice/present"),
        });
      });

      test("can be fetched but not pushed to when archived, and are not created by a push", async () => {
        expect(await git("alice", ".", "ls-remote", url("alice/shelved.git"))).toMatchObject({ code: 0 });
        const pushed = await git("alice", "source", "push", url("alice/shelved.git"), "main:more");
        expect(pushed).toMatchObject({ code: 128, stderr: expect.stringContaining("error: This repo is archived.") });
        const own = await git("alice", "source", "push", url("alice/unmade.git"), "main");
        expect(own.stderr).toContain("error: Push to create is not enabled for users.");
      });

      test("can be used by a collaborator according to their permission", async () => {
        await alice.put("/repos/alice/Hidden/collaborators/bob", { permission: "read" }).expect(204);
        expect(await git("bob", ".", "ls-remote", url("alice/Hidden.git"))).toMatchObject({ code: 0 });
        expect((await git("bob", "source", "push", url("alice/Hidden.git"), "main:bobs")).stderr).toContain("User permission denied for writing.");
        await alice.put("/repos/alice/Hidden/collaborators/bob", { permission: "write" }).expect(204);
        expect(await git("bob", "source", "push", url("alice/Hidden.git"), "main:bobs")).toMatchObject({ code: 0 });
        await alice.delete("/repos/alice/Hidden/collaborators/bob").expect(204);
        expect((await git("bob", ".", "ls-remote", url("alice/Hidden.git"))).stderr).toContain("Cannot find repository: alice/Hidden");
      });
    });

    describe("deploy keys", () => {
      const deploy = (repository: string, name: string, isReadOnly: boolean) =>
        alice
          .post<{ id: number }>(`/repos/alice/${repository}/keys`, { title: `${name} of ${repository}`, key: key(name).publicKey, read_only: isReadOnly })
          .expect(201);

      test("deploy keys read their own repository only, not even public ones of others", async () => {
        await deploy("Hidden", "robot", true);
        expect((await ssh("robot")).stdout).toBe(
          "Hi there! You've successfully authenticated with the deploy key named robot of Hidden, but Hearth does not provide shell access.\n",
        );
        expect(await git("robot", ".", "ls-remote", url("alice/Hidden.git"))).toMatchObject({ code: 0 });
        expect(await git("robot", "source", "push", url("alice/Hidden.git"), "main:robots")).toMatchObject({
          code: 1,
          stderr: expect.stringContaining("User permission denied for writing."),
        });
        for (const other of ["open", "shelved", "Nosuch"]) {
          expect(await ssh("robot", `git-upload-pack 'alice/${other}.git'`)).toEqual({
            code: 1,
            stdout: "",
            stderr: framed(`Cannot find repository: alice/${other}`),
          });
        }
      });

      test("with write access push as the key rather than as a user", async () => {
        const { id } = await deploy("open", "writer", false);
        await deploy("Hidden", "writer", true);
        expect(await git("writer", "source", "push", "-o", "repo.private=true", url("alice/open.git"), "main:by-writer")).toMatchObject({ code: 0 });
        expect(await alice.get<{ private: boolean }>("/repos/alice/open").expect(200)).toMatchObject({ private: false });
        expect((await git("writer", "source", "push", url("alice/Hidden.git"), "main:by-writer")).code).toBe(1);
        const last = (await eventsOf(forge, { type: "refs.changed" })).at(-1);
        expect(last).toMatchObject({ actorId: null, payload: { deployKeyId: id, via: "push" } });
        const used = await forge.context.db.sql.selectFrom("deploy_keys").select("last_used_ms").where("id", "=", id).executeTakeFirstOrThrow();
        expect(used.last_used_ms).toBeGreaterThan(0);
      });

      test("end with their repository or its deploy key", async () => {
        const { id } = await deploy("present", "passing", false);
        expect((await ssh("passing")).code).toBe(0);
        await alice.delete(`/repos/alice/present/keys/${id}`).expect(204);
        expect((await ssh("passing")).code).toBe(255);
      });
    });

    describe("git-lfs-authenticate", () => {
      test("grants HTTP access to authorized users", async () => {
        const { code, stdout } = await ssh("alice", "git-lfs-authenticate alice/Hidden.git upload");
        expect({ code, answer: JSON.parse(stdout) }).toEqual({
          code: 0,
          answer: {
            header: { Authorization: expect.stringMatching(/^RemoteAuth s1\.[\w-]+$/) },
            href: `${forge.url}/alice/Hidden.git/info/lfs`,
            expires_in: 1800,
          },
        });
        expect((await ssh("bob", "git-lfs-authenticate alice/open.git download")).code).toBe(0);
      });

      test("answers others like every command", async () => {
        expect(await ssh("mallory", "git-lfs-authenticate alice/Hidden.git download")).toEqual({
          code: 1,
          stdout: "",
          stderr: framed("Cannot find repository: alice/Hidden"),
        });
        expect(await ssh("bob", "git-lfs-authenticate alice/present.git upload")).toEqual({
          code: 1,
          stdout: "",
          stderr: framed("User permission denied for writing."),
        });
        expect((await ssh("alice", "git-lfs-authenticate alice/shelved.git upload")).stderr).toContain("This repo is archived");
      });
    });

    describe("attacks", () => {
      test.each([
        "git-upload-pack --x 'alice/open'",
        "git-upload-pack 'alice/open';id",
        "git-upload-pack '../../x'",
        "git-upload-pack 'alice/open' --upload-pack=id",
        "git-lfs-authenticate alice/Hidden badverb",
        "git-upload-archive 'alice/open' --exec=id",
        "id",
        "sh -i",
        "git-upload-pack '$(id)/open'",
        "git-upload-pack `id`",
      ])("rejects the command %j with a fixed message", async (command) => {
        const before = forge.context.git.counters.processes;
        expect(await ssh("mallory", command)).toEqual({
          code: 1,
          stdout: "",
          stderr: expect.stringMatching(/^error:\nerror: (This server runs|Invalid repository path)[^\n]*\nerror:\n$/),
        });
        expect(forge.context.git.counters.processes).toBe(before);
      });

      test("rejects a command of a megabyte", async () => {
        const { code, stdout } = await ssh("mallory", `git-upload-pack '${"a".repeat(100_000)}'`);
        expect({ isRefused: code !== 0, stdout }).toEqual({ isRefused: true, stdout: "" });
        expect((await ssh("mallory", `git-upload-pack '${"a".repeat(5_000)}'`)).stderr).toBe(framed("The command is too long."));
      });

      test("passes only a valid protocol version of the client's environment to git", async () => {
        const greet = async (value: string) => {
          const environment = { GIT_PROTOCOL: value, LD_PRELOAD: "/tmp/evil.so", GIT_CONFIG_COUNT: "1", GIT_DIR: "/" };
          const words = sshWords(
            key("mallory"),
            port,
            "-o",
            "SendEnv=GIT_PROTOCOL LD_PRELOAD GIT_CONFIG_COUNT GIT_DIR",
            "git@127.0.0.1",
            "git-upload-pack 'alice/open.git'",
          );
          return (await runSsh(words, { input: "0000", environment: value === "" ? {} : environment })).stdout;
        };
        expect(await greet("version=2")).toMatch(/^000eversion 2\n/);
        expect(await greet("version=1")).toMatch(/^000eversion 1\n/);
        for (const value of ["version=0", "version=2:x", "version=2\n", "--split-string=x", "2"])
          expect(await greet(value), value).toMatch(/^[0-9a-f]{44} HEAD/);
      });

      test("rejects terminals, forwarding and file transfer", async () => {
        const to = "git@127.0.0.1";
        const terminal = await runSsh(sshWords(key("mallory"), port, "-tt", to));
        expect(terminal.stderr).toContain("PTY allocation request failed");
        const through = await runSsh(sshWords(key("mallory"), port, "-W", "127.0.0.1:22", to));
        expect(through).toMatchObject({ code: 255, stdout: "" });
        const back = await runSsh(sshWords(key("mallory"), port, "-o", "ExitOnForwardFailure=yes", "-R", "0:127.0.0.1:22", to));
        expect(back).toMatchObject({ code: 255, stdout: "" });
        expect((await runSsh(sshWords(key("mallory"), port, "-s", to, "sftp"))).code).not.toBe(0);
      });

      test("keeps serving after any input of a client", { timeout: 300_000 }, async () => {
        const garbage = ["0005", "zzzz", "ffff".repeat(100), "0000", "\0\0\0\0", "0032want 1234", "0009done\n", "0014command=ls-refs\n0000", "0004"];
        for (const verb of ["git-upload-pack", "git-receive-pack"]) {
          for (const input of garbage) {
            for (const version of ["0", "2"]) {
              const words = sshWords(key("alice"), port, "-o", `SetEnv=GIT_PROTOCOL=version=${version}`, "git@127.0.0.1", `${verb} 'alice/open.git'`);
              const { code, stderr } = await runSsh(words, { input });
              expect({ code: [0, 1].includes(code ?? -1), stderr }, `${verb} ${version} ${input}`).toEqual({
                code: true,
                stderr: expect.not.stringContaining("Internal"),
              });
            }
          }
        }
        expect(forge.log.filter(({ level }) => level === "error")).toEqual([]);
      });
    });
  });
});
